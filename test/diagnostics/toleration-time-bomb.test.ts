// `toleration-time-bomb`: pods that run where none would come back.
import { describe, expect, it } from "vitest";
import { check, fixesAt, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const dump = (podExtra = "", daemonSetExtra = ""): string => `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: open}}
- {apiVersion: v1, kind: Node, metadata: {name: bomb}, spec: {taints: [{key: dedicated, value: db, effect: NoSchedule}]}}
- {apiVersion: v1, kind: Node, metadata: {name: gap}, spec: {taints: [{key: dedicated, value: db, effect: NoSchedule}]}}
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: node-exporter, namespace: monitoring, uid: ds-1${daemonSetExtra}}
  spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}}
- apiVersion: v1
  kind: Pod
  metadata: {name: p, namespace: monitoring, uid: p1, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: node-exporter, uid: ds-1, controller: true}]${podExtra}}
  spec: {nodeName: bomb, containers: [{name: c, image: i}]}
  status: {phase: Running}
`;

const strategy = (text: string): string =>
  workload("DaemonSet", "hostPID: false", "node-exporter").replace(
    "spec:\n  selector",
    `spec:\n  updateStrategy: ${text}\n  selector`,
  );

describe("toleration-time-bomb", () => {
  const clusters = [clusterOf(dump())];

  it("tells the node where the pod runs from the one that already lost it", () => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: node-exporter
        #     ^^^^^^^^^^^^^ warning toleration-gap: No pod of this exporter DaemonSet is created on 1 node (gap)
        #     ^^^^^^^^^^^^^ warning toleration-time-bomb: Its pod on 1 node (bomb) runs only until it is deleted: dedicated=db:NoSchedule not tolerated
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec: {containers: [{name: c, image: i}]}
      `,
      { clusters },
    );
  });

  it.each([
    ["{type: RollingUpdate}", "the next change of the template deletes it"],
    [
      "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}",
      "RollingUpdate with maxSurge 1: it stays through a rollout",
    ],
    ["{type: OnDelete}", "OnDelete: it is lost when somebody deletes it"],
  ])("names the update strategy %s", (text, words) => {
    const found = diagnose(strategy(text), { clusters }).filter(({ code }) => code === "toleration-time-bomb");
    expect(found.map((diagnostic) => diagnostic.message).join()).toContain(words);
  });

  it("offers what a gap is offered", () => {
    const { fixes } = fixesAt(workload("DaemonSet", "hostPID: false", "node-exporter"), "toleration-time-bomb", {
      clusters,
    });
    expect(fixes.map((fix) => fix.title)).toEqual(["Add the toleration dedicated=db:NoSchedule"]);
  });

  it.each([
    ["a pod on its way out", dump(", deletionTimestamp: '2026-01-01T00:00:00Z'")],
    ["a pod that finished", dump().replace("phase: Running", "phase: Failed")],
    ["another selector behind the same name", dump().replace("matchLabels: {app: a}", "matchLabels: {app: other}")],
    ["pods that were not read", dump().replace(/- apiVersion: v1\n {2}kind: Pod[\s\S]*/, "")],
  ])("is no more than a gap for %s", (_, text) => {
    const codes = diagnose(workload("DaemonSet", "hostPID: false", "node-exporter"), {
      clusters: [clusterOf(text)],
    }).map((diagnostic) => diagnostic.code);
    expect(codes).toEqual(["toleration-gap"]);
  });
});
