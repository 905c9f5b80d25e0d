// `toleration-blanket`: tolerating everything, by role.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

describe("toleration-blanket", () => {
  it("is information for an application and a hint for a platform role", () => {
    check(
      workload(
        "DaemonSet",
        `
        tolerations:
        - operator: Exists
        #           ^^^^^^ information toleration-blanket: This tolerates every taint: the pods may run on control-plane nodes
        - {operator: Exists, effect: NoExecute}
        #            ^^^^^^ information toleration-blanket: every taint with effect NoExecute
        `,
      ),
    );
    const hint = diagnose(workload("DaemonSet", "tolerations: [{operator: Exists}]", "node-exporter"));
    expect(hint.map(({ severity }) => severity)).toEqual(["hint"]);
  });

  it.each(["kube-proxy", "csi-node", "site-cni"])("is not mentioned for %s", (name) => {
    expect(diagnose(workload("DaemonSet", "tolerations: [{operator: Exists}]", name))).toEqual([]);
  });

  it("is not mentioned for a pod that a controller made", () => {
    const pod = (owner: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p${owner}}\nspec: {tolerations: [{operator: Exists}], containers: [{name: c, image: i}]}\n`;
    const owned = ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}]";
    expect(diagnose(pod("")).map(({ code }) => code)).toEqual(["toleration-blanket"]);
    expect(diagnose(pod(owned))).toEqual([]);
  });

  it("lists the exact tolerations of a cluster instead", () => {
    const before = workload("DaemonSet", "tolerations:\n- operator: Exists # everywhere", "node-exporter");
    const title =
      "Tolerate only what these nodes carry: node-role.kubernetes.io/control-plane:NoSchedule, dedicated=rdma:NoSchedule";
    expect(fixed(before, "toleration-blanket", title, { clusters: [POOLS] })).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations:
            - key: node-role.kubernetes.io/control-plane
              operator: Exists
              effect: NoSchedule
            - key: dedicated
              operator: Equal
              value: rdma
              effect: NoSchedule # everywhere
            containers: [{name: c, image: i}]
      "
    `);
    expect(fixesAt(before, "toleration-blanket").fixes).toEqual([]);
  });

  it("does not narrow where virtual nodes are reached", () => {
    const cluster = clusterOf(
      "apiVersion: v1\nkind: Node\nmetadata: {name: f, labels: {eks.amazonaws.com/compute-type: fargate}}\n",
    );
    const text = workload("DaemonSet", "tolerations: [{operator: Exists}]", "node-exporter");
    expect(fixesAt(text, "toleration-blanket", { clusters: [cluster] }).fixes).toEqual([]);
  });
});
