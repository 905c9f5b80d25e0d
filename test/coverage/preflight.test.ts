// Preflight: the incident that it would have prevented, told from a small cluster.
import { describe, expect, test } from "vitest";
import { indexCoverage } from "../../server/src/coverage/coverage-index.ts";
import { type NodeTaintChange, preflight, preflightPatches } from "../../server/src/coverage/preflight.ts";
import { formatTaint } from "../../server/src/kube/taint.ts";
import { formatRef } from "../../server/src/kube/workload.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { clusterOf } from "./objects.ts";

const CLUSTER = `
apiVersion: v1
kind: Node
metadata: {name: rdma-1, labels: {pool: rdma}}
---
apiVersion: v1
kind: Node
metadata: {name: cpu-1, labels: {pool: cpu}}
---
apiVersion: v1
kind: Node
metadata: {name: fargate-1, labels: {eks.amazonaws.com/compute-type: fargate}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: rdma-plugin, namespace: kube-system, uid: ds-rdma}
spec:
  selector: {matchLabels: {app: rdma}}
  template:
    metadata: {labels: {app: rdma}}
    spec:
      nodeSelector: {pool: rdma}
      containers: [{name: c, image: i}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: logs, namespace: kube-system, uid: ds-logs}
spec:
  selector: {matchLabels: {app: logs}}
  template:
    metadata: {labels: {app: logs}}
    spec:
      tolerations: [{key: other, operator: Exists, effect: NoSchedule}]
      containers: [{name: c, image: i}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: cni, namespace: kube-system, uid: ds-cni}
spec:
  selector: {matchLabels: {app: cni}}
  template:
    metadata: {labels: {app: cni}}
    spec:
      tolerations: [{operator: Exists}]
      containers: [{name: c, image: i}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: ml, uid: dep-train}
spec:
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      nodeSelector: {pool: rdma}
      containers: [{name: c, image: i}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: train-1
  namespace: ml
  uid: rs-train
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: train, uid: dep-train, controller: true}]
spec:
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      nodeSelector: {pool: rdma}
      containers: [{name: c, image: i}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: dep-web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i}]}
`;

function pod(name: string, node: string, owner: string, more = ""): string {
  const [kind, controller, uid] = owner.split("/");
  return `---
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: ${kind === "DaemonSet" ? "kube-system" : "ml"}
  uid: uid-${name}
  ownerReferences: [{apiVersion: apps/v1, kind: ${kind}, name: ${controller}, uid: ${uid}, controller: true}]
spec:
  nodeName: ${node}
  containers: [{name: c, image: i}]
${more}
status: {phase: Running}
`;
}

const PODS = [
  pod("rdma-plugin-a", "rdma-1", "DaemonSet/rdma-plugin/ds-rdma"),
  pod("logs-a", "rdma-1", "DaemonSet/logs/ds-logs"),
  pod("cni-a", "rdma-1", "DaemonSet/cni/ds-cni", "  tolerations: [{operator: Exists}]"),
  pod(
    "train-1-x",
    "rdma-1",
    "ReplicaSet/train-1/rs-train",
    "  tolerations: [{key: dedicated, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]",
  ),
].join("");

const OPTIONS = { scheduling: DEFAULT_SCHEDULING, pools: [] };

function change(effect: "NoSchedule" | "NoExecute", nodes: readonly string[], remove = false): NodeTaintChange {
  return { taint: { key: "dedicated", value: "rdma", effect }, remove, nodes };
}

function answer(asked: NodeTaintChange, cluster = CLUSTER + PODS) {
  const found = preflight(indexCoverage(clusterOf(cluster, "Pod"), OPTIONS), asked);
  return {
    found,
    changes: found.changes.map(
      ({ workload, node, from, to, timeBomb }) =>
        `${formatRef(workload)} on ${node}: ${from} -> ${to}${timeBomb ? ", time bomb" : ""}`,
    ),
    feasibility: found.feasibility.map(({ workload, becomes }) => `${formatRef(workload)} ${becomes}`),
    evictions: found.evictions.map(
      ({ pod: evicted, afterSeconds, by, taint }) =>
        `${evicted.name} after ${afterSeconds}s by ${by} (${formatTaint(taint)})`,
    ),
  };
}

describe("a NoSchedule taint on the RDMA pool", () => {
  const { found, changes, feasibility, evictions } = answer(change("NoSchedule", ["rdma-1"]));

  test("names the DaemonSets that would no longer be placed, and those whose pod would not come back", () => {
    expect(changes).toEqual([
      "DaemonSet/kube-system/rdma-plugin on rdma-1: run -> keep, time bomb",
      "DaemonSet/kube-system/logs on rdma-1: run -> keep, time bomb",
      "Deployment/ml/train on rdma-1: fits -> taint",
    ]);
  });

  test("tells who is left without a node, and that nobody is evicted", () => {
    expect(feasibility).toEqual(["DaemonSet/kube-system/rdma-plugin unplaceable", "Deployment/ml/train unplaceable"]);
    expect(evictions).toEqual([]);
  });

  test("patches test the list that is there, or that there is none", () => {
    const patches = preflightPatches(found, change("NoSchedule", ["rdma-1"]), () => null);
    const toleration = { key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule" };
    const path = "/spec/template/spec/tolerations";
    // A list that came meanwhile would be replaced: with the test of null the API server refuses.
    const added = [
      { op: "test", path, value: null },
      { op: "add", path, value: [toleration] },
    ];
    expect(patches.map(({ workload, patch }) => [workload.name, patch])).toEqual([
      ["rdma-plugin", added],
      [
        "logs",
        [
          {
            op: "test",
            path: "/spec/template/spec/tolerations",
            value: [{ key: "other", operator: "Exists", effect: "NoSchedule" }],
          },
          { op: "add", path: "/spec/template/spec/tolerations/-", value: toleration },
        ],
      ],
      ["train", added],
    ]);
    expect(patches[0]?.command).toBe(
      `kubectl patch daemonset rdma-plugin --namespace kube-system --type=json --patch '[{"op":"test","path":"/spec/template/spec/tolerations","value":null},{"op":"add","path":"/spec/template/spec/tolerations","value":[{"key":"dedicated","operator":"Equal","value":"rdma","effect":"NoSchedule"}]}]'`,
    );
  });

  test("an owner who reverts edits gets no patch", () => {
    const patches = preflightPatches(found, change("NoSchedule", ["rdma-1"]), (workload) =>
      workload.kind === "DaemonSet" ? "an operator" : null,
    );
    expect(patches.map(({ workload }) => workload.name)).toEqual(["train"]);
  });
});

test("a NoExecute taint says which pods go and when, and which stay", () => {
  const { changes, evictions } = answer(change("NoExecute", ["rdma-1"]));
  expect(changes).toContain("DaemonSet/kube-system/logs on rdma-1: run -> evict");
  expect(evictions).toEqual([
    "rdma-plugin-a after 0s by DaemonSet controller (dedicated=rdma:NoExecute)",
    "logs-a after 0s by DaemonSet controller (dedicated=rdma:NoExecute)",
    "train-1-x after 60s by taint eviction (dedicated=rdma:NoExecute)",
  ]);
});

test("taking the taint off says what becomes placeable", () => {
  const tainted = CLUSTER.replace(
    "metadata: {name: rdma-1, labels: {pool: rdma}}",
    "metadata: {name: rdma-1, labels: {pool: rdma}}\nspec: {taints: [{key: dedicated, value: rdma, effect: NoSchedule}]}",
  );
  const { found, changes, feasibility } = answer(change("NoSchedule", ["rdma-1"], true), tainted);
  expect(changes).toEqual([
    "DaemonSet/kube-system/rdma-plugin on rdma-1: keep -> run",
    "DaemonSet/kube-system/logs on rdma-1: keep -> run",
    "Deployment/ml/train on rdma-1: taint -> fits",
  ]);
  expect(feasibility).toEqual(["DaemonSet/kube-system/rdma-plugin placeable", "Deployment/ml/train placeable"]);
  expect(preflightPatches(found, change("NoSchedule", ["rdma-1"], true), () => null)).toEqual([]);
});

test("nodes that are not there, that need no change, or that host no DaemonSets", () => {
  const { found } = answer(change("NoSchedule", ["rdma-1", "nowhere"]));
  expect(found.absent).toEqual(["nowhere"]);
  const again = answer(change("NoSchedule", ["cpu-1"], true));
  expect(again.found.unchanged).toEqual(["cpu-1"]);
  expect(answer(change("NoSchedule", ["fargate-1"])).changes).toEqual([]);
});

test("without pods it says that time bombs and evictions are unknown", () => {
  const found = preflight(indexCoverage(clusterOf(CLUSTER), OPTIONS), change("NoSchedule", ["rdma-1"]));
  expect(found.changes.map((one) => one.running)).toEqual([null, null, null]);
  expect(found.unknown).toEqual(["Pods were not read: time bombs and evictions are unknown."]);
});
