// `toleration-value-type`: scalars that Kubernetes reads as another type than the field has.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";
import { diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

describe("toleration-value-type", () => {
  it("speaks of booleans and numbers in tolerations, selectors and affinity", () => {
    check(
      workload(
        "Deployment",
        `
        nodeSelector:
          gpu: yes
          #    ^^^ error toleration-value-type: Kubernetes reads yes as a boolean, but spec.template.spec.nodeSelector.gpu must be text
          zone: "1"
          date: 2024-01-01
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - key: generation
                  operator: In
                  values: [5, "6"]
                  #        ^ error toleration-value-type: nodeSelectorTerms[0].matchExpressions[0].values[0] must be text
        tolerations:
        - {key: CriticalAddonsOnly, value: true}
        #                                  ^^^^ error toleration-value-type: Kubernetes reads true as a boolean
        - {key: n, value: 010}
        #       ^ error toleration-value-type: Kubernetes reads n as a boolean
        #                 ^^^ error toleration-value-type: Kubernetes reads 010 as a number
        - {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: "60"}
        #                                                                  ^^^^ error toleration-value-type: tolerationSeconds must be a whole number without quotes
        `,
      ),
    );
  });

  it.each(["12:30:45", "~", "2021-01-01", "'yes'", '"1"', "v1", "!!str 5"])("accepts value: %s", (value) => {
    const text = workload("Deployment", `tolerations:\n- key: a\n  value: ${value}`);
    const codes = diagnose(text).map((diagnostic) => diagnostic.code);
    expect(codes).not.toContain("toleration-value-type");
  });

  it("quotes and unquotes, and changes nothing else", () => {
    const before = workload("Deployment", "tolerations:\n- {key: a, value: yes} # why");
    const after = workload("Deployment", 'tolerations:\n- {key: a, value: "yes"} # why');
    expect(fixed(before, "toleration-value-type", 'Quote it: "yes"')).toBe(after);
    const seconds = (text: string) =>
      workload(
        "Deployment",
        `tolerations:\n- {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: ${text}}`,
      );
    expect(fixed(seconds("'60'"), "toleration-value-type", "Remove the quotes: 60")).toBe(seconds("60"));
    expect(fixesAt(seconds('"a minute"'), "toleration-value-type").fixes).toEqual([]);
  });

  it.each([
    ["nodeSelector: gpu", "spec.template.spec.nodeSelector must be a mapping; this is text"],
    ["nodeSelector: 5", "spec.template.spec.nodeSelector must be a mapping; this is a number"],
    ["nodeSelector: [gpu]", "spec.template.spec.nodeSelector must be a mapping; this is a list"],
  ])("does not ask to quote what must be no scalar: %s", (lines, words) => {
    const [found] = diagnose(workload("Deployment", lines));
    expect(found?.message).toContain(words);
    expect(found?.fixes).toEqual([]);
  });

  it.each([
    ["affinity: 5", "spec.affinity must be a mapping; this is a number"],
    ["affinity: {podAntiAffinity: [a]}", "podAntiAffinity must be a mapping; this is a list"],
    [
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {a: b}}}",
      "requiredDuringSchedulingIgnoredDuringExecution must be a list; this is a mapping",
    ],
    ["tolerations: [{key: {a: b}, operator: Exists}]", "tolerations[0].key must be text; this is a mapping"],
    ["hostNetwork: 'true'", "hostNetwork must be a boolean; this is text"],
    ["schedulerName: 5", "Kubernetes reads 5 as a number, but spec.template.spec.schedulerName must be text"],
    ["schedulingGates: [gate]", "schedulingGates[0] must be a mapping; this is text"],
    ["topologySpreadConstraints: {maxSkew: 1}", "topologySpreadConstraints must be a list; this is a mapping"],
    ["os: linux", "spec.os must be a mapping; this is text"],
    ["overhead: 5", "overhead must be a mapping; this is a number"],
    ["volumes: {logs: {hostPath: {path: /x}}}", "volumes must be a list; this is a mapping"],
    ["volumes: [{name: v, hostPath: /x}]", "volumes[0].hostPath must be a mapping; this is text"],
    ["initContainers: {name: c}", "initContainers must be a list; this is a mapping"],
    ["containers: [{name: c, image: i, resources: 5}]", "resources must be a mapping; this is a number"],
    ["containers: [{name: c, image: i, resources: {limits: {cpu: true}}}]", "limits.cpu must be a quantity"],
    ["containers: [{name: c, image: i, args: --all}]", "args must be a list; this is text"],
    ["containers: {name: c, image: i}", "containers must be a list; this is a mapping"],
    ["containers: c", "containers must be a list; this is text"],
  ])("speaks of what has another shape than the API gives it: %s", (lines, words) => {
    const found = diagnose(workload("DaemonSet", lines));
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["error toleration-value-type"]);
    expect(found[0]?.message).toContain(words);
  });

  it.each([
    ["spec: [{template: {spec: {containers: []}}}]", "spec must be a mapping; this is a list"],
    ["spec: {template: [containers]}", "spec.template must be a mapping; this is a list"],
    ["spec: {template: {spec: [{containers: []}], }}", "spec.template.spec must be a mapping; this is a list"],
  ])("knows no placement of what is no pod spec: %s", (spec, words) => {
    const text = `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\n${spec}\n`;
    const found = diagnose(text, { clusters: [POOLS] });
    expect(found.map(({ code }) => code)).toEqual(["toleration-value-type"]);
    expect(found[0]?.message).toContain(words);
  });

  it.each(["labels: {app: on}", "annotations: {scrape: true}", "name: 5"])(
    "leaves what decides on no node to whoever validates manifests: metadata %s",
    (line) => {
      const name = line.startsWith("name") ? "" : "name: a, ";
      const text = workload("Deployment", "").replace("{name: app}", `{${name}${line}}`);
      expect(diagnose(text)).toEqual([]);
    },
  );

  it.each(["nodeSelector: ${SELECTOR}", "affinity: '{{ .Values.affinity }}'", "affinity: null"])(
    "leaves what is filled in later, or empty: %s",
    (lines) => {
      expect(diagnose(workload("DaemonSet", lines))).toEqual([]);
    },
  );

  it("offers no edit of a text that other places share", () => {
    const text = workload("Deployment", "hostNetwork: &yes true\ntolerations:\n- {key: a, value: *yes}");
    expect(fixesAt(text, "toleration-value-type").fixes).toEqual([]);
  });

  it("is a safe fix", () => {
    const { fixes } = fixesAt(workload("Deployment", "tolerations:\n- {key: a, value: 1}"), "toleration-value-type");
    expect(fixes.map((fix) => fix.kind)).toEqual(["safe"]);
  });
});
