// The fix of a live workload: its patch, what is told before it is applied, and when there is none.
import { describe, expect, it } from "vitest";
import { fixNotes } from "../../server/src/change/fix-notes.ts";
import { planFix, wantedFix } from "../../server/src/change/fix-plan.ts";
import { workloadOf } from "../../server/src/explorer/reports/workload-fix.ts";
import type { JsonObject } from "../../server/src/kube/decode/reading.ts";
import { decodeWorkload } from "../../server/src/kube/decode/workload.ts";
import { patched } from "../../server/src/kube/json-patch.ts";
import { workloadKind } from "../../server/src/kube/kinds.ts";
import { clusterOf } from "../coverage/objects.ts";
import { judged } from "../explorer/tree.ts";

const ready = { conditions: [{ type: "Ready", status: "True" }], allocatable: { cpu: "4", pods: "110" } };
const node = (name: string, ...taints: readonly object[]) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: { "kubernetes.io/os": "linux" } },
  spec: { taints },
  status: ready,
});
const RDMA = { key: "dedicated", value: "rdma", effect: "NoSchedule" };
const MASTER = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
const NODES = [node("cp", MASTER), node("r1", RDMA), node("w1")];

interface Agent {
  readonly metadata?: object;
  readonly spec?: object;
  readonly tolerations?: readonly object[];
}

/** A log agent, as the API gives it. */
const agent = ({ metadata = {}, spec = {}, tolerations }: Agent = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", namespace: "logging", uid: "u1", generation: 4, ...metadata },
  spec: {
    ...spec,
    selector: { matchLabels: { app: "agent" } },
    template: {
      metadata: { labels: { app: "agent" } },
      spec: {
        ...(tolerations === undefined ? {} : { tolerations }),
        containers: [{ name: "c", image: "i", volumeMounts: [{ name: "log", mountPath: "/var/log" }] }],
        volumes: [{ name: "log", hostPath: { path: "/var/log/pods" } }],
      },
    },
  },
});
const pod = (name: string, nodeName: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: "logging",
    uid: name,
    ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: "u1", controller: true }],
  },
  spec: { nodeName, containers: [{ name: "c", image: "i" }] },
  status: { phase: "Running" },
});

/** Plans the fix of the agent in a cluster that was read with it; `live` is what the server has by now. */
function plan(read: JsonObject, live: JsonObject = read, pods: readonly object[] = [pod("a", "w1"), pod("b", "cp")]) {
  const objects = [...NODES, read, ...pods];
  const cluster = judged(clusterOf(objects.map((object) => JSON.stringify(object)).join("\n---\n")));
  const workload = workloadOf(cluster, {
    cluster: "c",
    kind: "DaemonSet",
    namespace: "logging",
    name: "agent",
    node: null,
  });
  if (workload === null) throw new Error("the cluster has no such DaemonSet");
  const wanted = wantedFix(cluster, workload);
  if ("refusal" in wanted) return wanted;
  const planned = planFix(cluster, wanted, live);
  if ("refusal" in planned) return planned;
  const kind = workloadKind("apps/v1", "DaemonSet");
  if (kind === null) throw new Error("DaemonSets are workloads");
  const after = decodeWorkload(patched(live, planned.patch), kind);
  return { patch: planned.patch, ...fixNotes(cluster, planned, live, after) };
}

describe("the patch", () => {
  it("tests uid, generation and that there is no list, then makes one", () => {
    expect(plan(agent())).toMatchObject({
      patch: [
        { op: "test", path: "/metadata/uid", value: "u1" },
        { op: "test", path: "/metadata/generation", value: 4 },
        { op: "test", path: "/spec/template/spec/tolerations", value: null },
        {
          op: "add",
          path: "/spec/template/spec/tolerations",
          value: [{ key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule" }],
        },
      ],
    });
  });
  it("appends to the list as the server has it now, not as it was read before", () => {
    const since = [{ key: "a", operator: "Exists" }];
    expect(plan(agent(), agent({ tolerations: since }))).toMatchObject({
      patch: [{}, {}, { op: "test", value: since }, { op: "add", path: "/spec/template/spec/tolerations/-" }],
    });
  });
});

describe("there is none", () => {
  const refusal = (live: JsonObject, read = agent()) => {
    const made = plan(read, live);
    return "refusal" in made ? made.refusal : "a patch";
  };
  it("for an object of an operator, known before or only now", () => {
    const owned = { labels: { "app.kubernetes.io/managed-by": "log-operator" } };
    expect(refusal(agent({ metadata: owned }), agent({ metadata: owned }))).toContain("It belongs to log-operator");
    expect(refusal(agent({ metadata: owned }))).toContain("belongs to log-operator, which would revert an edit");
  });
  it("for another object of the same name, one that goes, and one that tolerates it by now", () => {
    expect(refusal(agent({ metadata: { uid: "u2" } }))).toContain("was replaced by another object of this name");
    expect(refusal(agent({ metadata: { deletionTimestamp: "2026-03-02T10:00:00Z" } }))).toBe(
      "DaemonSet logging/agent is being deleted.",
    );
    expect(refusal(agent({ tolerations: [{ key: "dedicated", operator: "Exists" }] }))).toBe(
      "DaemonSet logging/agent tolerates dedicated=rdma:NoSchedule by now; there is nothing to add.",
    );
  });
});

describe("before it is applied", () => {
  const told = (made: Agent) => {
    const notes = plan(agent(made));
    return "refusal" in notes ? [notes.refusal] : [notes.touches, ...notes.warnings];
  };
  it("is told what is replaced, where a pod comes, and where one goes for good", () => {
    expect(told({})).toEqual([
      "2 pods on 2 nodes are replaced (maxUnavailable 1: so many are missing at a time). 1 node without its pod gets one: r1.",
      "The rollout takes its pod from cp and none comes back there: node-role.kubernetes.io/control-plane:NoSchedule.",
    ]);
  });
  it("is told that OnDelete replaces nothing, so that nothing goes either", () => {
    expect(told({ spec: { updateStrategy: { type: "OnDelete" } } })).toEqual([
      "Its update strategy is OnDelete: the 2 pods that run stay as they are until somebody deletes them. 1 node without its pod gets one: r1.",
    ]);
  });
  it("is told who takes it out again", () => {
    const flux = { labels: { "kustomize.toolkit.fluxcd.io/name": "apps" } };
    expect(told({ metadata: flux }).join("\n")).toContain("Flux manages it");
    const applied = {
      managedFields: [
        {
          manager: "deployer",
          operation: "Apply",
          fieldsV1: { "f:spec": { "f:template": { "f:spec": { "f:tolerations": {} } } } },
        },
      ],
    };
    expect(told({ metadata: applied }).join("\n")).toContain("deployer declares its tolerations (server-side apply)");
  });
});
