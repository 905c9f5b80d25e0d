// `unschedulable`: no known node can take a pod, and why.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";
import { clusterOf, configOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };

describe("unschedulable", () => {
  it("tells why, group by group", () => {
    check(
      `
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: train
        #     ^^^^^ warning unschedulable: No node can take a pod of this Deployment: 2 nodes (plain-1, plain-2): 32 cpu requested, the node can give 8; 1 node (cp-1): node-role.kubernetes.io/control-plane:NoSchedule is not tolerated; 1 node (rdma-1): dedicated=rdma:NoSchedule is not tolerated.
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i, resources: {requests: {cpu: 32}}}]
      `,
      judging,
    );
  });

  it("is silent where a node is left, for other schedulers, gates and nodeName", () => {
    check(workload("Deployment", "priorityClassName: x"), judging);
    for (const spec of ["schedulerName: volcano", "schedulingGates: [{name: a}]", "nodeName: rdma-1"]) {
      const big = `${spec}\ncontainers: [{name: c, image: i, resources: {requests: {cpu: ${spec.startsWith("nodeName") ? 1 : 500}}}}]`;
      expect(diagnose(workload("Deployment", big), judging), spec).toEqual([]);
    }
  });

  it("does not count a node that only a passing taint keeps free, nor one without status as short", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: a}
spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
`);
    const huge = workload("Deployment", "containers: [{name: c, image: i, resources: {requests: {cpu: 5000}}}]");
    expect(diagnose(huge, { clusters: [cluster] })).toEqual([]);
  });

  it("is a hint for what does not run: replicas 0, suspended, finished", () => {
    const spec = workload("Deployment", "containers: [{name: c, image: i, resources: {requests: {cpu: 500}}}]");
    const idle = spec.replace("spec:\n", "spec:\n  replicas: 0\n");
    expect(diagnose(idle, judging).map(({ severity, code }) => `${severity} ${code}`)).toEqual(["hint unschedulable"]);
    const job = spec
      .replace("apps/v1", "batch/v1")
      .replace("Deployment", "Job")
      .replace("spec:\n", "spec:\n  suspend: true\n");
    expect(diagnose(job, judging).map(({ severity }) => severity)).toEqual(["hint"]);
  });

  it("is information where an autoscaler may make a node", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: a, labels: {karpenter.sh/nodepool: default}}
status: {allocatable: {cpu: "2"}}
`);
    const [found] = diagnose(
      workload("Deployment", "containers: [{name: c, image: i, resources: {requests: {cpu: 8}}}]"),
      {
        clusters: [cluster],
      },
    );
    expect(found?.severity).toBe("information");
    expect(found?.message).toContain("No such node now; nodes labelled karpenter.sh/nodepool=default may make one.");
  });

  it("counts a declared pool, and speaks only when no cluster of the file has room", () => {
    const spec = workload("Deployment", "containers: [{name: c, image: i, resources: {requests: {cpu: 100}}}]");
    const config = configOf("pools: [{name: big, allocatable: {cpu: 128}}]");
    expect(diagnose(spec, { ...judging, config })).toEqual([]);
    const big = clusterOf(
      'apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: "128"}}\n',
      "big",
    );
    expect(diagnose(spec, { clusters: [POOLS, big] })).toEqual([]);
  });

  it("is silent where a live pod proves that admission adds the toleration", () => {
    const text = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: g}, spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}, status: {allocatable: {nvidia.com/gpu: "8"}}}
- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: r, namespace: x, uid: r1}, spec: {selector: {matchLabels: {app: b}}, template: {metadata: {labels: {app: b}}, spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}}}
- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: x, uid: p1, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r1, controller: true}]}, spec: {nodeName: g, tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}], containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}
`;
    const spec = workload("Deployment", "containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]");
    expect(diagnose(spec, { clusters: [clusterOf(text)] })).toEqual([]);
  });

  it("is silent where its own live pod runs with a toleration that a webhook gave it, not where it merely outlived the taint", () => {
    const live = (tolerations: string) =>
      clusterOf(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: [{key: team, value: x, effect: NoSchedule}]}}
- {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: app, namespace: x, uid: s1}, spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}}}
- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: x, uid: p1, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: app, uid: s1, controller: true}]}, spec: {nodeName: n, tolerations: ${tolerations}, containers: [{name: c, image: i}]}, status: {phase: Running}}
`);
    const codes = (tolerations: string) =>
      diagnose(workload("StatefulSet", "hostPID: false"), { clusters: [live(tolerations)] }).map(({ code }) => code);
    expect(codes("[{key: team, operator: Exists}]")).toEqual([]);
    expect(codes("[]")).toEqual(["unschedulable"]);
  });

  it("offers the tolerations that would let a group of nodes take the pod", () => {
    const spec = workload("Deployment", "containers: [{name: c, image: i, resources: {requests: {cpu: 32}}}]");
    const { fixes } = fixesAt(spec, "unschedulable", judging);
    expect(fixes.map((fix) => fix.title)).toEqual(["Add the toleration dedicated=rdma:NoSchedule"]);
    const after = fixed(spec, "unschedulable", "Add the toleration dedicated=rdma:NoSchedule", judging);
    expect(after).toContain(
      "tolerations:\n      - key: dedicated\n        operator: Equal\n        value: rdma\n        effect: NoSchedule\n",
    );
  });

  it("says that a pod which tolerates NoExecute without limit stays", () => {
    const cluster = clusterOf(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: a, value: b, effect: NoExecute}]}\n",
    );
    const { fixes } = fixesAt(workload("Deployment", "hostPID: false"), "unschedulable", { clusters: [cluster] });
    expect(fixes.map((fix) => fix.title)).toEqual([
      "Add the toleration a=b:NoExecute, without a limit: pods stay when the taint comes",
    ]);
  });
});
