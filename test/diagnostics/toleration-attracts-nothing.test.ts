// `toleration-attracts-nothing`: let into a pool, but not kept there.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };

describe("toleration-attracts-nothing", () => {
  it("hints at pods that may run elsewhere as well", () => {
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - {key: dedicated, operator: Exists}
        #       ^^^^^^^^^ hint toleration-attracts-nothing: The pods may run on 1 node with dedicated=rdma:NoSchedule, and on 3 nodes without it (cp-1, plain-1, plain-2)
        - {key: node-role.kubernetes.io/control-plane, operator: Exists}
        `,
      ),
      judging,
    );
  });

  it.each([
    ["a selector keeps them", "nodeSelector: {pool: rdma}"],
    ["a device keeps them", "containers: [{name: c, image: i, resources: {limits: {rdma/hca: 1}}}]"],
    [
      "a preference draws them",
      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: pool, operator: In, values: [rdma]}]}}]}}",
    ],
    ["the node is given", "nodeName: rdma-1"],
  ])("is silent where %s", (_, spec) => {
    expect(
      diagnose(workload("Deployment", `tolerations: [{key: dedicated, operator: Exists}]\n${spec}`), judging),
    ).toEqual([]);
  });

  it("never speaks of DaemonSets", () => {
    const text = workload(
      "DaemonSet",
      "tolerations: [{key: dedicated, operator: Exists}, {key: node-role.kubernetes.io/control-plane, operator: Exists}]",
    );
    expect(diagnose(text, judging)).toEqual([]);
  });

  it("adds the pool's label to the selector", () => {
    const before = workload("Deployment", "tolerations: [{key: dedicated, operator: Exists}]");
    expect(fixed(before, "toleration-attracts-nothing", "Keep the pods in the pool: select pool=rdma", judging)).toBe(
      workload("Deployment", "tolerations: [{key: dedicated, operator: Exists}]\nnodeSelector:\n  pool: rdma"),
    );
  });
});
