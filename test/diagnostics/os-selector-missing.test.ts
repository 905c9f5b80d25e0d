// `os-selector-missing`: pods that go to nodes of several operating systems.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const mixed = (windowsSpec = "{}") =>
  clusterOf(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: lin, labels: {kubernetes.io/os: linux}}}
- {apiVersion: v1, kind: Node, metadata: {name: win, labels: {kubernetes.io/os: windows}}, spec: ${windowsSpec}}
`);
const clusters = [mixed()];

describe("os-selector-missing", () => {
  it("warns where the pods reach another system", () => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: agent
        #     ^^^^^ warning os-selector-missing: these pods also go to windows nodes (win)
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec: {containers: [{name: c, image: i}]}
      `,
      { clusters },
    );
  });

  it("is silent where something already keeps the pods to one system", () => {
    for (const spec of [
      "nodeSelector: {kubernetes.io/os: linux}",
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: NotIn, values: [windows]}]}]}}}",
    ]) {
      expect(diagnose(workload("DaemonSet", spec), { clusters }), spec).toEqual([]);
    }
    const tainted = mixed("{taints: [{key: os, value: windows, effect: NoSchedule}]}");
    const codes = diagnose(workload("DaemonSet", "hostPID: false"), { clusters: [tainted] }).map(({ code }) => code);
    expect(codes).not.toContain("os-selector-missing");
  });

  it("is silent in a cluster of one system", () => {
    const linux = clusterOf("apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {kubernetes.io/os: linux}}\n");
    expect(diagnose(workload("DaemonSet", "hostPID: false"), { clusters: [linux] })).toEqual([]);
  });

  it("adds the selector", () => {
    const before = workload("DaemonSet", "nodeSelector:\n  pool: a");
    expect(diagnose(before, { clusters }).map(({ code }) => code)).toEqual(["selector-unmatched"]);
    const title = "Select linux nodes: add kubernetes.io/os to the nodeSelector";
    expect(fixed(workload("DaemonSet", "hostPID: false"), "os-selector-missing", title, { clusters })).toBe(
      workload("DaemonSet", "hostPID: false\nnodeSelector:\n  kubernetes.io/os: linux"),
    );
  });
});
