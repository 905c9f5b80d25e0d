// `toleration-unmatched`: tolerations that match nothing, and what may have been meant.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };

describe("toleration-unmatched", () => {
  it("informs about near misses and hints at the rest", () => {
    check(
      workload(
        "Deployment",
        `
        nodeSelector: {pool: general}
        tolerations:
        - {key: dedicatd, value: rdma, effect: NoSchedule}
        #       ^^^^^^^^ information toleration-unmatched: dedicatd=rdma:NoSchedule matches; dedicated=rdma:NoSchedule is close.
        - {key: dedicated, value: RDMA, effect: NoSchedule}
        #       ^^^^^^^^^ information toleration-unmatched: dedicated=rdma:NoSchedule is close
        - {key: dedicated, value: rdma, effect: NoExecute}
        #       ^^^^^^^^^ information toleration-unmatched: dedicated=rdma:NoSchedule is close
        - {key: team-purple, operator: Exists}
        #       ^^^^^^^^^^^ hint toleration-unmatched: No node has a taint that team-purple Exists matches.
        - {key: key, operator: Exists}
        #       ^^^ hint toleration-unmatched: leave out the key and write operator: Exists
        `,
      ),
      judging,
    );
  });

  it("never speaks of passing taints, control planes, CriticalAddonsOnly and wildcards", () => {
    check(
      workload(
        "DaemonSet",
        `
        nodeSelector: {pool: general}
        tolerations:
        - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoSchedule}
        - {key: ToBeDeletedByClusterAutoscaler, operator: Exists}
        - {key: node.cilium.io/agent-not-ready, operator: Exists}
        - {key: node-role.kubernetes.io/master, operator: Exists}
        - {key: node-role.kubernetes.io/etcd, operator: Exists}
        - {key: CriticalAddonsOnly, operator: Exists}
        `,
      ),
      judging,
    );
  });

  it("counts soft taints and other clusters as matches, and says nothing without nodes", () => {
    const soft = clusterOf(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: a, effect: PreferNoSchedule}]}\n",
      "soft",
    );
    const text = workload("DaemonSet", "nodeSelector: {pool: general}\ntolerations: [{key: a, operator: Exists}]");
    expect(diagnose(text, { clusters: [POOLS, soft] }).map(({ code }) => code)).toEqual([]);
    const none = clusterOf("apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n", "none");
    expect(diagnose(text, { clusters: [none] })).toEqual([]);
  });

  it("replaces what differs and keeps the rest", () => {
    const before = workload(
      "DaemonSet",
      "nodeSelector: {pool: rdma}\ntolerations:\n- key: 'dedicatd' # rdma pool\n  value: rdma\n  effect: NoSchedule",
    );
    const after = before.replace("'dedicatd'", "'dedicated'");
    expect(fixed(before, "toleration-unmatched", "Tolerate dedicated=rdma:NoSchedule instead", judging)).toBe(after);
  });
});
