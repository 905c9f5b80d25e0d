// `toleration-gap`: who is told, how loudly, and what is offered.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt } from "../support/annotated.ts";
import { clusterOf, configOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };

describe("toleration-gap", () => {
  it("warns of a platform pod that a pool does not get, and tells the control plane apart", () => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: csi-node
        #     ^^^^^^^^ warning toleration-gap: No pod of this CSI node driver DaemonSet is created on 2 nodes (cp-1, rdma-1)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `,
      judging,
    );
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: node-exporter
        #     ^^^^^^^^^^^^^ information toleration-gap: Kept off 1 node (cp-1) by node-role.kubernetes.io/control-plane:NoSchedule, as such nodes usually are.
        #     ^^^^^^^^^^^^^ warning toleration-gap: No pod of this exporter DaemonSet is created on 1 node (rdma-1): dedicated=rdma:NoSchedule not tolerated.
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `,
      judging,
    );
  });

  it("informs about an application, and warns where its selector admits only blocked nodes", () => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: cache
        #     ^^^^^ information toleration-gap: by node-role.kubernetes.io/control-plane:NoSchedule
        #     ^^^^^ information toleration-gap: No pod of this DaemonSet is created on 1 node (rdma-1)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      ---
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: rdma-cache
        #     ^^^^^^^^^^ warning toleration-gap: is created anywhere: dedicated=rdma:NoSchedule not tolerated on 1 node (rdma-1)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {pool: rdma}
            containers: [{name: c, image: i}]
      `,
      judging,
    );
  });

  it("names the toleration that comes close and the owner that would undo an edit", () => {
    const [found] = check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: cache
        #     ^^^^^ warning toleration-gap: closest is dedicated=rdma:NoExecute: its effect is NoExecute, the taint's is NoSchedule. It is managed by cache-operator
        labels: {app.kubernetes.io/managed-by: cache-operator}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {pool: rdma}
            tolerations:
            - {key: dedicated, operator: Equal, value: rdma, effect: NoExecute}
            #       ^^^^^^^^^ information toleration-unmatched: dedicated=rdma:NoSchedule is close
            containers: [{name: c, image: i}]
      `,
      judging,
    );
    expect(found?.fixes).toEqual([]);
  });

  it("adds the exact toleration in the style of the file", () => {
    const after = fixed(
      `
      # a comment that stays
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations:
              - key: "node-role.kubernetes.io/control-plane"   # control plane
                operator: "Exists"
            containers: [{name: c, image: i}]
      `,
      "toleration-gap",
      "Add the toleration dedicated=rdma:NoSchedule",
      judging,
    );
    expect(after).toMatchInlineSnapshot(`
      "# a comment that stays
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations:
              - key: "node-role.kubernetes.io/control-plane"   # control plane
                operator: "Exists"
              - key: dedicated
                operator: Equal
                value: rdma
                effect: NoSchedule
            containers: [{name: c, image: i}]
      "
    `);
  });

  it("leaves the nodes out on purpose by the label that tells them", () => {
    const after = fixed(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: cache}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
            containers: [{name: c, image: i}]
      `,
      "toleration-gap",
      "Leave these nodes out on purpose: require pool NotIn rdma",
      judging,
    );
    expect(after).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: cache}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - key: pool
                      operator: NotIn
                      values:
                      - rdma
            containers: [{name: c, image: i}]
      "
    `);
  });

  it("adds the requirement to every term of an affinity that is there", () => {
    const after = fixed(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: cache}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: pool, operator: Exists}
                  - matchFields:
                    - {key: metadata.name, operator: In, values: [plain-1]}
            containers: [{name: c, image: i}]
      `,
      "toleration-gap",
      "Leave these nodes out on purpose: require pool NotIn rdma",
      judging,
    );
    expect(after).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: cache}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: pool, operator: Exists}
                    - {key: pool, operator: NotIn, values: [rdma]}
                  - matchFields:
                    - {key: metadata.name, operator: In, values: [plain-1]}
                    matchExpressions:
                    - key: pool
                      operator: NotIn
                      values:
                      - rdma
            containers: [{name: c, image: i}]
      "
    `);
  });

  it("gives the all-in-one fix where two taints stand in the way", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: v1
kind: Node
metadata: {name: b}
spec: {taints: [{key: x, value: "1", effect: NoSchedule}, {key: z, effect: NoExecute}]}
`);
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `;
    const { fixes } = fixesAt(manifest, "toleration-gap", { clusters: [cluster] });
    expect(fixes.map(({ title, kind, preferred }) => `${kind}${preferred ? "*" : ""} ${title}`)).toEqual([
      "whole-workload* Add 2 tolerations for this workload: x=1:NoSchedule, z:NoExecute",
      "suggested Add the toleration x=1:NoSchedule",
      "suggested Add the toleration z:NoExecute",
    ]);
    const title = "Add 2 tolerations for this workload: x=1:NoSchedule, z:NoExecute";
    expect(fixed(manifest, "toleration-gap", title, { clusters: [cluster] })).toContain('value: "1"');
  });

  it("is silent about taints that go by themselves, soft ones, and nodes that cannot host it", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: v1
kind: Node
metadata: {name: leaving}
spec: {taints: [{key: ToBeDeletedByClusterAutoscaler, value: "1", effect: NoSchedule}, {key: example.com/soft, effect: PreferNoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: booting}
spec: {taints: [{key: example.com/booting, effect: NoExecute}]}
---
apiVersion: v1
kind: Node
metadata: {name: fargate, labels: {eks.amazonaws.com/compute-type: fargate}}
spec: {taints: [{key: eks.amazonaws.com/compute-type, value: fargate, effect: NoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: win, labels: {kubernetes.io/os: windows}}
spec: {taints: [{key: team, value: x, effect: NoSchedule}]}
`);
    const config = configOf('transientTaints: ["example.com/booting"]');
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            os: {name: linux}
            containers: [{name: c, image: i}]
      `;
    check(manifest, { clusters: [cluster], config });
  });

  it("is an error where a network plugin waits for itself", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: fresh}
spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]}
`);
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: site-network
        #     ^^^^^^^^^^^^ error toleration-gap: This network plugin waits for itself on 1 node (fresh)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
            volumes: [{name: cni, hostPath: {path: /etc/cni/net.d}}]
      `;
    check(manifest, { clusters: [cluster] });
  });

  it("is information where the workspace file expects it, and silent where it ignores the taint", () => {
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: node-exporter
        #     ^^^^^^^^^^^^^ information toleration-gap: Kept off 1 node (rdma-1) by dedicated=rdma:NoSchedule, as expected (they export their own).
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
            containers: [{name: c, image: i}]
      `;
    const config = configOf("expected: [{role: exporter, nodes: rdma-*, reason: they export their own}]");
    check(manifest, { ...judging, config });
    const ignoring = configOf("ignoredTaints: [dedicated=rdma]");
    check(manifest.replace(/^.*\^.*$/m, ""), { ...judging, config: ignoring });
  });

  it("offers the selector where an operating-system taint is in the way, never a toleration", () => {
    const cluster = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: lin, labels: {kubernetes.io/os: linux}}
---
apiVersion: v1
kind: Node
metadata: {name: win, labels: {kubernetes.io/os: windows}}
spec: {taints: [{key: kubernetes.io/os, value: windows, effect: NoSchedule}]}
`);
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: node-exporter}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `;
    const { fixes } = fixesAt(manifest, "toleration-gap", { clusters: [cluster] });
    expect(fixes.map((fix) => fix.title)).toEqual(["Select linux nodes: add kubernetes.io/os to the nodeSelector"]);
    const title = "Select linux nodes: add kubernetes.io/os to the nodeSelector";
    expect(fixed(manifest, "toleration-gap", title, { clusters: [cluster] })).toContain("kubernetes.io/os: linux");
  });

  it("judges each cluster by itself and names it; unmapped files get no verdict", () => {
    const other = clusterOf("apiVersion: v1\nkind: Node\nmetadata: {name: n}\n", "other");
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: csi-node}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `;
    const found = (path: string) => {
      const config = configOf("paths: [{path: prod/**, clusters: [pools]}, {path: lab/**, clusters: [other]}]");
      return diagnose(manifest, { clusters: [POOLS, other], config, path }).map(({ code, cluster }) => [code, cluster]);
    };
    expect(found("prod/a.yaml")).toEqual([["toleration-gap", "pools"]]);
    expect(found("lab/a.yaml")).toEqual([]);
    expect(found("elsewhere/a.yaml")).toEqual([]);
  });

  it("is a hint where the text is rendered before it is applied", () => {
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: csi-node
        #     ^^^^^^^^ hint toleration-gap
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            containers: [{name: c, image: i}]
      `;
    check(manifest, { ...judging, options: { rendered: true } });
  });

  it("counts declared pools as nodes", () => {
    const manifest = `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: csi-node
        #     ^^^^^^^^ warning toleration-gap: (pool gpu): nvidia
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{key: dedicated, operator: Exists}, {key: node-role.kubernetes.io/control-plane, operator: Exists}]
            containers: [{name: c, image: i}]
      `;
    const config = configOf('pools: [{name: gpu, taints: ["nvidia.com/gpu=present:NoSchedule"]}]');
    check(manifest, { ...judging, config });
  });
});
