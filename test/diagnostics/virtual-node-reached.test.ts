// `virtual-node-reached`: DaemonSet pods for nodes that cannot run them.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const clusters = [
  clusterOf(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: real, labels: {kubernetes.io/os: linux}}}
- {apiVersion: v1, kind: Node, metadata: {name: vk, labels: {kubernetes.io/os: linux, type: virtual-kubelet}}, spec: {taints: [{key: virtual-kubelet.io/provider, value: x, effect: NoSchedule}]}}
`),
];

describe("virtual-node-reached", () => {
  it("warns of the toleration that reaches it", () => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: csi-node
        #     ^^^^^^^^ warning virtual-node-reached: 1 node (vk) that cannot run it (a virtual-kubelet node)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{operator: Exists}]
            containers: [{name: c, image: i}]
      `,
      { clusters },
    );
  });

  it("is silent without the toleration, and the missing pod there is no gap; other kinds may run there", () => {
    expect(diagnose(workload("DaemonSet", "hostPID: false"), { clusters })).toEqual([]);
    const deployment = diagnose(
      workload("Deployment", "tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]"),
      { clusters },
    );
    expect(deployment.map(({ code }) => code)).toEqual(["toleration-attracts-nothing"]);
  });

  it("leaves virtual nodes out by their label", () => {
    const before = workload("DaemonSet", "tolerations: [{operator: Exists}]", "csi-node");
    const after = fixed(before, "virtual-node-reached", "Leave virtual nodes out: require type NotIn virtual-kubelet", {
      clusters,
    });
    expect(after).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: csi-node}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{operator: Exists}]
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - key: type
                      operator: NotIn
                      values:
                      - virtual-kubelet
            containers: [{name: c, image: i}]
      "
    `);
  });
});
