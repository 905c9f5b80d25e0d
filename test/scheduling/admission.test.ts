// What admission adds, how sure that is, and what proves it.
import { describe, expect, test } from "vitest";
import { formatToleration, type Toleration } from "../../server/src/kube/toleration.ts";
import { admissionChanges, admittedSpec, gatherAdmissionEvidence } from "../../server/src/scheduling/admission.ts";
import { daemonSetTolerations } from "../../server/src/scheduling/implied-tolerations.ts";
import { covers, mergeTolerations } from "../../server/src/scheduling/merge-tolerations.ts";
import { parseDefaultTolerations, parseNodeSelector } from "../../server/src/scheduling/namespace-defaults.ts";
import { clusterOf, workloadOf } from "../coverage/objects.ts";
import { podSpec } from "./oracle-objects.ts";

function toleration(parts: Partial<Toleration>): Toleration {
  return { key: "", operator: "", value: "", effect: "", tolerationSeconds: null, ...parts };
}

const TRAIN = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: dmz, uid: train}
spec:
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      nodeSelector: {region: infra}
      runtimeClassName: sandboxed
      containers: [{name: c, image: i, resources: {limits: {example.com/gpu: "0"}}}]
`;

const NAMESPACE = `
apiVersion: v1
kind: Namespace
metadata:
  name: dmz
  annotations:
    scheduler.alpha.kubernetes.io/defaultTolerations: '[{"operator":"Equal","effect":"NoSchedule","key":"zone","value":"dmz"}]'
    openshift.io/node-selector: "region=primary"
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sandboxed}
handler: sandboxed
scheduling:
  nodeSelector: {sandbox: "true"}
  tolerations: [{key: sandbox, operator: Exists}]
`;

const POD = (tolerations: string) => `---
apiVersion: v1
kind: Pod
metadata:
  name: train-x
  namespace: dmz
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: train, uid: train, controller: true}]
spec:
  nodeSelector: {region: infra}
  tolerations: ${tolerations}
  containers: [{name: c, image: i, resources: {limits: {example.com/gpu: "0"}}}]
`;

function changesIn(text: string) {
  const cluster = clusterOf(text);
  const { template } = workloadOf(TRAIN);
  return admissionChanges(template, "dmz", cluster, gatherAdmissionEvidence(cluster));
}

describe("a Deployment's pods", () => {
  test("get what each plugin adds, in the plugins' order", () => {
    const told = changesIn(NAMESPACE).map(({ plugin, certainty, tolerations, nodeSelector }) => [
      plugin,
      certainty,
      [...tolerations.map(formatToleration), ...Object.entries(nodeSelector).map((entry) => entry.join("="))].join(
        ", ",
      ),
    ]);
    expect(told).toEqual([
      ["OpenShift project node selector", "if-on", "region=primary"],
      [
        "DefaultTolerationSeconds",
        "always",
        "node.kubernetes.io/not-ready:NoExecute Exists for 300s, node.kubernetes.io/unreachable:NoExecute Exists for 300s",
      ],
      ["PodTolerationRestriction", "if-on", "zone=dmz:NoSchedule"],
      // It looks at names, so that an amount of 0 counts.
      ["ExtendedResourceToleration", "if-on", "example.com/gpu:NoSchedule Exists"],
      ["RuntimeClass", "always", "sandbox Exists, sandbox=true"],
    ]);
  });

  test("a label that both sides want with different values is a conflict: the pod is refused", () => {
    const [selector] = changesIn(NAMESPACE);
    expect(selector?.conflict).toEqual({ key: "region", template: "infra", admission: "primary" });
  });

  test("a live pod that carries more than its template proves the plugin", () => {
    const tolerations = "[{key: example.com/gpu, operator: Exists, effect: NoSchedule}]";
    const proved = changesIn(`${NAMESPACE}---${TRAIN}${POD(tolerations)}`).filter((one) => one.certainty === "proved");
    expect(proved.map(({ plugin, evidence }) => [plugin, evidence])).toEqual([
      ["ExtendedResourceToleration", "dmz/train-x"],
    ]);
  });

  test("a template that tolerates every NoExecute gets no seconds", () => {
    const spec = podSpec({ tolerations: [toleration({ operator: "Exists" })] });
    const cluster = clusterOf(NAMESPACE);
    const plugins = admissionChanges(spec, null, cluster, gatherAdmissionEvidence(cluster));
    expect(plugins).toEqual([]);
  });

  test("the spec as admitted holds what was accepted, and nothing of a conflict", () => {
    const { template } = workloadOf(TRAIN);
    const admitted = admittedSpec(template, changesIn(NAMESPACE), (change) => change.certainty === "always");
    expect(admitted.nodeSelector).toEqual({ sandbox: "true", region: "infra" });
    expect(admitted.tolerations.map(formatToleration)).toEqual([
      "node.kubernetes.io/not-ready:NoExecute Exists for 300s",
      "node.kubernetes.io/unreachable:NoExecute Exists for 300s",
      "sandbox Exists",
    ]);
    const all = admittedSpec(template, changesIn(NAMESPACE), () => true);
    expect(all.nodeSelector).toEqual({ sandbox: "true", region: "infra" });
  });
});

describe("a DaemonSet's pods", () => {
  test("an implied toleration takes the place of an equal entry, seconds and all; others stay beside it", () => {
    const spec = podSpec({
      tolerations: [
        toleration({
          key: "node.kubernetes.io/not-ready",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: 30,
        }),
        toleration({ key: "node.kubernetes.io/unreachable", effect: "NoExecute", tolerationSeconds: 30 }),
      ],
    });
    expect(daemonSetTolerations(spec).map(({ toleration: one, index }) => [formatToleration(one), index])).toEqual([
      ["node.kubernetes.io/not-ready:NoExecute Exists", 0],
      ["node.kubernetes.io/unreachable:NoExecute for 30s", 1],
      ["node.kubernetes.io/unreachable:NoExecute Exists", null],
      ["node.kubernetes.io/disk-pressure:NoSchedule Exists", null],
      ["node.kubernetes.io/memory-pressure:NoSchedule Exists", null],
      ["node.kubernetes.io/pid-pressure:NoSchedule Exists", null],
      ["node.kubernetes.io/unschedulable:NoSchedule Exists", null],
    ]);
  });

  test("network-unavailable only with the host's network", () => {
    const keys = (hostNetwork: boolean) =>
      daemonSetTolerations(podSpec({ hostNetwork })).map((entry) => entry.toleration.key);
    expect(keys(true)).toContain("node.kubernetes.io/network-unavailable");
    expect(keys(false)).not.toContain("node.kubernetes.io/network-unavailable");
  });
});

describe("merging two lists", () => {
  const exists = toleration({ key: "a", operator: "Exists" });
  const equal = toleration({ key: "a", operator: "Equal", value: "1", effect: "NoSchedule" });

  test("what another entry covers is dropped, wherever it stands", () => {
    expect(mergeTolerations([equal], [exists])).toEqual([exists]);
    expect(mergeTolerations([exists], [equal])).toEqual([exists]);
    expect(mergeTolerations([exists], [exists])).toEqual([exists]);
  });

  test("a finite NoExecute toleration covers none that lasts longer", () => {
    const finite = toleration({ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 });
    expect(covers(finite, { ...finite, tolerationSeconds: 11 })).toBe(false);
    expect(covers(finite, { ...finite, tolerationSeconds: 9 })).toBe(true);
    expect(covers({ ...finite, tolerationSeconds: null }, finite)).toBe(true);
  });
});

describe("a namespace's annotations", () => {
  test("tolerations are a JSON list; anything else is none", () => {
    expect(parseDefaultTolerations('[{"key":"a","operator":"Exists","tolerationSeconds":5}]')).toEqual([
      toleration({ key: "a", operator: "Exists", tolerationSeconds: 5 }),
    ]);
    expect(["", "{", "{}", "[1]", "null"].map(parseDefaultTolerations)).toEqual([null, null, null, null, null]);
  });

  test("selectors are pairs; an empty one clears the cluster's default", () => {
    expect(parseNodeSelector("region=primary, zone=a")).toEqual({ region: "primary", zone: "a" });
    expect(["", "  ", "region", "a=b=c"].map(parseNodeSelector)).toEqual([null, null, null, null]);
  });
});
