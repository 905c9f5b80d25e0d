// How far a rollout is, from the status that the controllers write and the pods there are.
import { describe, expect, it } from "vitest";
import { rolloutState } from "../../server/src/change/rollout.ts";
import { rolloutMarkdown } from "../../server/src/change/rollout-report.ts";
import { decodePod } from "../../server/src/kube/decode/pod.ts";

const ADDED = [{ key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule", tolerationSeconds: null }];
const TOLERATION = { key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule" };

const live = (spec: object, status: object, tolerations: readonly object[] = [TOLERATION]) => ({
  metadata: { generation: 2 },
  spec: { ...spec, template: { spec: { tolerations } } },
  status: { observedGeneration: 2, ...status },
});
const pod = (name: string, nodeName: string, tolerations: readonly object[], status: object) =>
  decodePod({
    metadata: { name, namespace: "kube-system", uid: name },
    spec: { nodeName, tolerations, containers: [] },
    status,
  });
const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const says = (kind: "DaemonSet" | "Deployment" | "StatefulSet", object: object) => {
  const { phase, summary } = rolloutState(kind, { ...object }, [], ADDED);
  return `${phase}: ${summary}`;
};

describe("a DaemonSet", () => {
  const counts = (updated: number, available: number) => ({
    desiredNumberScheduled: 3,
    updatedNumberScheduled: updated,
    numberAvailable: available,
  });
  it("is done when every pod is new and available", () => {
    expect(says("DaemonSet", live({}, counts(2, 3)))).toBe("rolling: 2 of 3 pods are new, 3 available.");
    expect(says("DaemonSet", live({}, counts(3, 2)))).toBe("rolling: 3 of 3 pods are new, 2 available.");
    expect(says("DaemonSet", live({}, counts(3, 3)))).toBe("done: 3 of 3 pods are new, 3 available.");
  });
  it("is not done by a status from before the change", () => {
    expect(says("DaemonSet", live({}, { ...counts(3, 3), observedGeneration: 1 }))).toBe(
      "rolling: The controller has not seen the change yet.",
    );
  });
  it("with OnDelete waits for whoever deletes the old pods", () => {
    expect(says("DaemonSet", live({ updateStrategy: { type: "OnDelete" } }, counts(1, 3)))).toBe(
      "waits: 1 of 3 pods are new, 3 available. The strategy is OnDelete: 2 old pods wait to be deleted by you.",
    );
  });
  it("whose toleration is gone again was undone by its deployer", () => {
    expect(says("DaemonSet", live({}, counts(3, 3), []))).toMatch(/^reverted: Somebody took the toleration out again/);
  });
});

describe("a Deployment", () => {
  it("is done without old pods, waits where it is paused, fails at its deadline", () => {
    const counts = { replicas: 3, updatedReplicas: 2, availableReplicas: 3 };
    expect(says("Deployment", live({ replicas: 2 }, counts))).toBe("rolling: 2 of 2 pods are new, 3 available, 1 old.");
    expect(says("Deployment", live({ replicas: 2 }, { ...counts, replicas: 2, availableReplicas: 2 }))).toBe(
      "done: 2 of 2 pods are new, 2 available.",
    );
    expect(says("Deployment", live({ replicas: 2, paused: true }, counts))).toMatch(/^waits: .*resumes it\.$/);
    const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "timed out." };
    expect(says("Deployment", live({ replicas: 2 }, { ...counts, conditions: [late] }))).toMatch(
      /^failed: .*gave up waiting: timed out\.$/,
    );
  });
});

describe("a StatefulSet", () => {
  const counts = { replicas: 3, readyReplicas: 3, currentRevision: "a", updateRevision: "b" };
  it("is done when its revision is the new one, waits below a partition and with OnDelete", () => {
    expect(says("StatefulSet", live({ replicas: 3 }, { ...counts, updatedReplicas: 1 }))).toBe(
      "rolling: 1 of 3 pods are new, 3 ready.",
    );
    expect(says("StatefulSet", live({ replicas: 3 }, { ...counts, currentRevision: "b" }))).toMatch(/^done: 3 of 3/);
    const partition = { rollingUpdate: { partition: 2 } };
    expect(
      says("StatefulSet", live({ replicas: 3, updateStrategy: partition }, { ...counts, updatedReplicas: 1 })),
    ).toBe("waits: 1 of 3 pods are new, 3 ready. The others are below the partition 2.");
    expect(says("StatefulSet", live({ replicas: 3, updateStrategy: { type: "OnDelete" } }, counts))).toMatch(
      /^waits: /,
    );
  });
});

it("the report names node, image and message of what does not start, worst first", () => {
  const waiting = (reason: string, message: string) => ({
    phase: "Pending",
    containerStatuses: [{ name: "agent", image: "registry.example/agent:2", state: { waiting: { reason, message } } }],
  });
  const crash = {
    phase: "Running",
    conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady" }],
    containerStatuses: [
      {
        name: "agent",
        restartCount: 4,
        state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 80s" } },
        lastState: { terminated: { exitCode: 2, reason: "Error", message: "no such device" } },
      },
    ],
  };
  const pods = [
    pod("agent-a", "n1", [TOLERATION], ready),
    pod("agent-b", "n2", [], ready),
    pod("agent-c", "n3", [TOLERATION], waiting("ImagePullBackOff", "Back-off pulling image")),
    pod("agent-d", "n4", [TOLERATION], crash),
  ];
  const status = { desiredNumberScheduled: 4, updatedNumberScheduled: 3, numberAvailable: 2 };
  const state = rolloutState("DaemonSet", live({}, status), pods, ADDED);
  const setting = {
    object: "DaemonSet kube-system/agent",
    context: "prod",
    added: "dedicated=rdma:NoSchedule",
    podsKnown: true,
    notes: [],
  };
  expect(rolloutMarkdown(state, setting)).toBe(`# Rollout of DaemonSet kube-system/agent

In the context \`prod\`: tolerates \`dedicated=rdma:NoSchedule\` now.

**Under way.** 3 of 4 pods are new, 2 available.

## What keeps pods from running

- **n3** agent-c: image registry.example/agent:2 cannot be pulled (ImagePullBackOff): Back-off pulling image
- **n4** agent-d: container agent does not start (CrashLoopBackOff): 4 restarts, the last ended with 2 (Error): no such device

## Pods by node

| node | new, ready | new, not ready | old or ending |
| --- | --- | --- | --- |
| n3 |  | 1 |  |
| n4 |  | 1 |  |
| n2 |  |  | 1 |
| n1 | 1 |  |  |
`);
});
