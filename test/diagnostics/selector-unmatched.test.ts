// `selector-unmatched`: labels that no node carries.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };
const selectorOf = (text: string) => diagnose(text, judging).filter(({ code }) => code === "selector-unmatched");

describe("selector-unmatched", () => {
  it("names the entry at fault and what nodes carry", () => {
    check(
      workload(
        "DaemonSet",
        `
        nodeSelector:
          kubernetes.io/os: linux
          pool: rmda
          #     ^^^^ warning selector-unmatched: No node has the label pool=rmda. Nodes carry pool with general, rdma.
          pools: rdma
          #      ^^^^ warning selector-unmatched: No node has the label pools=rdma. Close labels: pool.
        `,
      ),
      judging,
    );
  });

  it("takes a DaemonSet for another system as a variant that waits, and never sends an image to a foreign one", () => {
    const text = (kind: string, value: string) => workload(kind, `nodeSelector: {kubernetes.io/os: ${value}}`);
    const said = (kind: string, value: string) =>
      selectorOf(text(kind, value)).map(({ severity, fixes }) => [severity, ...fixes.map(({ title }) => title)]);
    expect(said("DaemonSet", "windows")).toEqual([["information"]]);
    expect(said("Deployment", "windows")).toEqual([["warning"]]);
    expect(said("Deployment", "linus")).toEqual([["warning", "Select kubernetes.io/os=linux instead"]]);
    const affinity = `
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions:
              - {key: beta.kubernetes.io/arch, operator: In, values: [arm64, s390x]}`;
    expect(selectorOf(workload("DaemonSet", affinity)).map(({ severity }) => severity)).toEqual(["information"]);
  });

  it("names the requirement at fault, and the whole where only the combination fails", () => {
    check(
      workload(
        "DaemonSet",
        `
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - key: zone
                #      ^^^^ warning selector-unmatched: No node meets zone In [a]. No node carries zone.
                  operator: In
                  values: [a]
        `,
      ),
      judging,
    );
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: app}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {pool: rdma, node-role.kubernetes.io/control-plane: ""}
          # ^^^^^^^^^^^^ warning selector-unmatched: No node meets all of these requirements together.
            containers: [{name: c, image: i}]
      `,
      judging,
    );
  });

  it("is silent where one of several terms is met", () => {
    const terms = (first: string) =>
      workload(
        "Deployment",
        `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [${first}]}]}, {matchExpressions: [{key: nowhere, operator: Exists}]}]}}}`,
      );
    expect(selectorOf(terms("general"))).toEqual([]);
    expect(selectorOf(terms("absent")).map((found) => found.message)).toEqual([
      "No node meets pool In [absent]. Nodes carry pool with general, rdma.",
      "No node meets nowhere Exists. No node carries nowhere.",
    ]);
  });

  it("replaces the value by the close one", () => {
    const before = workload("DaemonSet", "nodeSelector:\n  pool: rmda # fast");
    const toleration = "tolerations: [{key: dedicated, operator: Exists}]\n";
    const spec = (value: string) => workload("DaemonSet", `${toleration}nodeSelector:\n  pool: ${value} # fast`);
    expect(fixed(spec("rmda"), "selector-unmatched", "Select pool=rdma instead", judging)).toBe(spec("rdma"));
    expect(
      fixesAt(before, "selector-unmatched", judging).fixes.map(({ title, preferred }) => [title, preferred]),
    ).toEqual([["Select pool=rdma instead, and tolerate dedicated=rdma:NoSchedule", true]]);
  });

  it("replaces a close key where nodes carry it with the value", () => {
    const spec = (key: string) => workload("Deployment", `nodeSelector:\n  "${key}": general # cheap`);
    expect(fixed(spec("pools"), "selector-unmatched", "Select pool=general instead", judging)).toBe(spec("pool"));
  });

  it("offers presence where a role label's value differs", () => {
    const cluster = clusterOf(
      'apiVersion: v1\nkind: Node\nmetadata: {name: cp, labels: {node-role.kubernetes.io/control-plane: ""}}\n',
    );
    const before = workload("DaemonSet", 'nodeSelector:\n  node-role.kubernetes.io/control-plane: "true"');
    const title = "Require only that node-role.kubernetes.io/control-plane is there (node affinity, operator Exists)";
    expect(fixed(before, "selector-unmatched", title, { clusters: [cluster] })).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: app}
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {}
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - key: node-role.kubernetes.io/control-plane
                      operator: Exists
            containers: [{name: c, image: i}]
      "
    `);
    const value = fixed(before, "selector-unmatched", "Select node-role.kubernetes.io/control-plane= instead", {
      clusters: [cluster],
    });
    expect(value).toBe(workload("DaemonSet", 'nodeSelector:\n  node-role.kubernetes.io/control-plane: ""'));
  });

  it("is information while an autoscaler may make such nodes", () => {
    const cluster = clusterOf(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {karpenter.sh/nodepool: default}}\n",
    );
    const found = diagnose(workload("DaemonSet", "nodeSelector: {pool: x}"), { clusters: [cluster] });
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["information selector-unmatched"]);
    expect(found[0]?.message).toContain("No such node now");
  });

  it("speaks only when no cluster of the file has such a node", () => {
    const other = clusterOf("apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {zone: a}}\n", "other");
    const text = workload("DaemonSet", "nodeSelector: {zone: a}");
    expect(diagnose(text, { clusters: [POOLS, other] })).toEqual([]);
  });

  it("knows a nodeName that is not there", () => {
    const [found] = selectorOf(workload("Deployment", "nodeName: plain-9"));
    expect(found?.message).toBe("There is no node plain-9.");
    const fields = "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [plain-9]}]}]}";
    const affinity = `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ${fields}}}`;
    expect(selectorOf(workload("DaemonSet", affinity))[0]?.message).toBe("No node meets metadata.name In [plain-9].");
  });
});
