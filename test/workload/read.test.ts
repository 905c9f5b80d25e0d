// Manifests: which workloads a file holds, and what it says that is none.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ManifestFile } from "../../server/src/workload/manifest.ts";
import { readManifest } from "../../server/src/workload/read.ts";

const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;
const read = (text: string, path = "app.yaml") => readManifest(text, { path });

/** Each document as the workloads it holds, or what else it is. */
function summary(text: string, path?: string): unknown[] {
  return read(text, path).documents.map(({ workloads, other, yaml }) =>
    workloads.length > 0
      ? workloads.map(({ workload }) => `${workload.kind}/${workload.name ?? workload.generateName}`).join(" ")
      : (other ?? yaml.problems.map(({ code }) => code).join(" ")),
  );
}

const SPEC = "{containers: [{name: c, image: i}]}";
const TEMPLATE = `{metadata: {labels: {app: a}}, spec: ${SPEC}}`;
const SELECTED = `selector: {matchLabels: {app: a}}, template: ${TEMPLATE}`;

describe("every kind", () => {
  test.each([
    ["v1", "Pod", `spec: ${SPEC}`],
    ["v1", "ReplicationController", `spec: {template: ${TEMPLATE}}`],
    ["v1", "PodTemplate", `template: ${TEMPLATE}`],
    ["apps/v1", "ReplicaSet", `spec: {${SELECTED}}`],
    ["apps/v1", "Deployment", `spec: {${SELECTED}}`],
    ["apps/v1", "StatefulSet", `spec: {${SELECTED}}`],
    ["apps/v1", "DaemonSet", `spec: {${SELECTED}}`],
    ["extensions/v1beta1", "DaemonSet", `spec: {template: ${TEMPLATE}}`],
    ["batch/v1", "Job", `spec: {template: {spec: ${SPEC}}}`],
    ["batch/v1", "CronJob", `spec: {jobTemplate: {spec: {template: {spec: ${SPEC}}}}}`],
  ])("%s %s", (apiVersion, kind, body) => {
    const text = lines(`apiVersion: ${apiVersion}`, `kind: ${kind}`, "metadata: {name: x}", body);
    const [workload] = read(text).documents[0]?.workloads ?? [];
    expect(workload?.workload).toMatchObject({ kind, name: "x", template: { containers: [{ name: "c" }] } });
    expect(text.slice(workload?.nameSpan.start, workload?.nameSpan.end)).toBe("x");
  });

  test.each(["\n", "\r\n", "\r"])("with lines that end with %j", (end) => {
    const text = ["apiVersion: v1", "kind: Pod", "metadata: {name: x}", `spec: ${SPEC}`, ""].join(end);
    expect(summary(text)).toEqual(["Pod/x"]);
  });

  test("but not a custom kind of the same name", () => {
    const job = lines("apiVersion: batch.volcano.sh/v1alpha1", "kind: Job", `spec: {template: {spec: ${SPEC}}}`);
    expect(summary(job)).toEqual(["cluster-object"]);
  });
});

describe("lists", () => {
  const item = (kind: string, name: string) =>
    `{apiVersion: apps/v1, kind: ${kind}, metadata: {name: ${name}}, spec: {${SELECTED}}}`;

  test("of several kinds", () => {
    const text = lines(
      "apiVersion: v1",
      "kind: List",
      "items:",
      `- ${item("DaemonSet", "a")}`,
      "- {apiVersion: v1, kind: Node}",
      `- ${item("Deployment", "b")}`,
    );
    expect(summary(text)).toEqual(["DaemonSet/a Deployment/b"]);
  });

  test("of one kind, named by the list alone", () => {
    const text = lines(
      "apiVersion: apps/v1",
      "kind: DaemonSetList",
      "items:",
      `- {metadata: {name: a}, spec: {${SELECTED}}}`,
    );
    expect(summary(text)).toEqual(["DaemonSet/a"]);
  });

  test("as JSON", () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { generateName: "a-" },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    expect(summary(JSON.stringify({ apiVersion: "v1", kind: "List", items: [pod] }, null, "\t"), "dump.json")).toEqual([
      "Pod/a-",
    ]);
  });
});

describe("no workload", () => {
  const daemonSet = (...rows: string[]) =>
    lines("apiVersion: apps/v1", "kind: DaemonSet", "metadata: {name: a}", ...rows);

  test("a strategic merge patch", () => {
    const toleration = "tolerations: [{key: a, operator: Exists}]";
    expect(summary(daemonSet(`spec: {template: {spec: {${toleration}}}}`))).toEqual(["patch"]);
    expect(summary(daemonSet(`spec: {template: {spec: {${toleration}, containers: [{name: c}]}}}`))).toEqual(["patch"]);
    expect(summary(daemonSet("$patch: replace", `spec: {${SELECTED}}`))).toEqual(["patch"]);
  });

  test("a JSON6902 patch", () => {
    const add = "{op: add, path: /spec/template/spec/tolerations/-, value: {key: role, operator: Exists}}";
    expect(summary(`- ${add}\n`)).toEqual(["json6902"]);
    expect(summary('[{"op": "remove", "path": "/spec/template/spec/affinity"}]')).toEqual(["json6902"]);
  });

  test("a kustomization with an inline patch", () => {
    const patch = lines(
      "patches:",
      "- patch: |",
      "    kind: DaemonSet",
      "    spec: {template: {spec: {tolerations: []}}}",
    );
    expect(
      summary(`kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n${patch}`, "kustomization.yaml"),
    ).toEqual([]);
    expect(summary(patch, "base/kustomization.yaml")).toEqual([]);
  });

  test("text inside a ConfigMap", () => {
    const text = lines(
      "apiVersion: v1",
      "kind: ConfigMap",
      "data:",
      "  T: |",
      "    - effect: NoSchedule",
      "      key: a",
      "    kind: DaemonSet",
    );
    expect(summary(text)).toEqual([]);
  });

  test("values of a chart", () => {
    expect(summary(lines("agent:", "  kind: DaemonSet", "  tolerations: {key: a}"), "charts/x/values.yaml")).toEqual(
      [],
    );
  });
});

describe("what a cluster returned", () => {
  const SERVED = 'uid: "1", resourceVersion: "7"';
  const OWNER = "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: a, uid: u, controller: true}]";
  const pod = (metadata: string) => `{apiVersion: v1, kind: Pod, metadata: {name: p, ${metadata}}, spec: ${SPEC}}`;
  const list = (...items: string[]) => lines("apiVersion: v1", "kind: List", "items:", ...items.map((i) => `- ${i}`));

  test("is a record in a list, as kubectl get prints it", () => {
    expect(summary(list(pod(SERVED), pod(SERVED)))).toEqual(["record"]);
  });

  test("is a record where a controller made it", () => {
    expect(summary(pod(`${SERVED}, ${OWNER}`))).toEqual(["record"]);
  });

  test("is a workload alone, as kubectl edit opens it", () => {
    expect(summary(pod(SERVED))).toEqual(["Pod/p"]);
  });

  test("leaves what somebody wrote beside it", () => {
    expect(summary(list(pod(SERVED), pod("namespace: a")))).toEqual(["Pod/p"]);
    expect(summary(pod(OWNER))).toEqual(["Pod/p"]);
  });

  test("is read like any other where the file was asked for", () => {
    const file = readManifest(list(pod(SERVED)), { path: "dump.yaml", records: true });
    expect(file.documents.flatMap(({ workloads }) => workloads.map(({ workload }) => workload.name))).toEqual(["p"]);
  });
});

describe("templates", () => {
  const chart = lines(
    "apiVersion: apps/v1",
    "kind: DaemonSet",
    "metadata: {name: a}",
    "spec:",
    "  template:",
    "    spec:",
    "      tolerations:",
    "        {{- toYaml .Values.tolerations | nindent 8 }}",
    "      containers: []",
  );

  test("in a chart's folder hold nothing to judge", () => {
    expect(read(chart, "charts/x/templates/ds.yaml")).toMatchObject({ template: true, documents: [] });
  });

  test("elsewhere are told by what does not parse because of them", () => {
    expect(summary(chart, "ds.yaml")).toEqual(["template"]);
    expect(read(chart, "ds.yaml")).toMatchObject({ template: true, documents: [{ yaml: { problems: [] } }] });
  });

  test("are not every file with braces", () => {
    const text = lines(
      "apiVersion: v1",
      "kind: Pod",
      "metadata: {name: a, annotations: {x: '{{ .Name }}'}}",
      `spec: ${SPEC}`,
    );
    expect(summary(text)).toEqual(["Pod/a"]);
    expect(readManifest(text, { path: "templates/a.yaml", inChart: false }).template).toBe(false);
  });
});

describe("fields that do not decode", () => {
  const undecodable = (spec: string, metadata = "{name: a}") =>
    read(
      lines(
        "apiVersion: v1",
        "kind: Pod",
        `metadata: ${metadata}`,
        `spec: {containers: [{name: c, image: i}], ${spec}}`,
      ),
    ).documents[0]?.workloads[0]?.undecodable.map(
      ({ path, expected, found }) => `${path.join(".")}: ${expected}, not ${found}`,
    );

  test.each([
    ["tolerations: [{key: a, value: true}]", ["spec.tolerations.0.value: string, not boolean"]],
    [
      "tolerations: [{key: a, value: yes}, {key: 1, effect: n}]",
      [
        "spec.tolerations.0.value: string, not boolean",
        "spec.tolerations.1.key: string, not number",
        "spec.tolerations.1.effect: string, not boolean",
      ],
    ],
    [
      "tolerations: [{value: 010}, {value: 1_000}, {value: 1e3}]",
      [0, 1, 2].map((index) => `spec.tolerations.${index}.value: string, not number`),
    ],
    ["tolerations: [{value: 12:30:45}, {value: 2024-01-01}, {value: ~}, {value: }]", []],
    ['tolerations: [{tolerationSeconds: "300"}]', ["spec.tolerations.0.tolerationSeconds: integer, not string"]],
    [
      "tolerations: [{tolerationSeconds: 1.5}, {tolerationSeconds: 1e3}]",
      ["spec.tolerations.0.tolerationSeconds: integer, not number"],
    ],
    [
      "tolerations: [{tolerationSeconds: 9223372036854775808}, {tolerationSeconds: -9000000000000000000}]",
      ["spec.tolerations.0.tolerationSeconds: integer, not number"],
    ],
    ["tolerations: {key: a}", ["spec.tolerations: list, not object"]],
    ["tolerations: [a, null]", ["spec.tolerations.0: object, not string"]],
    [
      "nodeSelector: {gpu: true, zone: 1, x: a}",
      ["spec.nodeSelector.gpu: string, not boolean", "spec.nodeSelector.zone: string, not number"],
    ],
    ["nodeSelector: [a]", ["spec.nodeSelector: object, not list"]],
    ["hostNetwork: 'true'", ["spec.hostNetwork: boolean, not string"]],
    ["nodeName: 1", ["spec.nodeName: string, not number"]],
    [
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [1, true, b]}]}]}}}",
      [0, 1].map(
        (index) =>
          `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.0.matchExpressions.0.values.${index}: string, not ${index === 0 ? "number" : "boolean"}`,
      ),
    ],
    ['hostPID: "${PID}", tolerations: "{{ .Values.t }}"', []],
  ])("%s", (spec, expected) => {
    expect(undecodable(spec)).toEqual(expected);
  });

  test("labels too", () => {
    expect(undecodable("hostPID: false", "{name: a, labels: {app: n}}")).toEqual([
      "metadata.labels.app: string, not boolean",
    ]);
  });

  test("are taken as the text that is written", () => {
    const text = lines(
      "apiVersion: v1",
      "kind: Pod",
      `spec: {containers: [{name: c, image: i}], tolerations: [{key: a, value: yes}]}`,
    );
    expect(read(text).documents[0]?.workloads[0]?.workload.template.tolerations).toMatchObject([
      { key: "a", value: "yes" },
    ]);
  });
});

describe("errors", () => {
  const good = lines("apiVersion: v1", "kind: Pod", "metadata: {name: good}", `spec: ${SPEC}`);

  test("in one document leave the others", () => {
    const broken = lines("apiVersion: v1", "kind: Pod", "spec: {tolerations: @x}");
    const unknown = lines("apiVersion: v1", "kind: Pod", "spec: {tolerations: *tol}");
    expect(summary(`${good}---\n${broken}---\n${unknown}---\n${good}`)).toEqual([
      "Pod/good",
      "syntax",
      "unknown-anchor",
      "Pod/good",
    ]);
  });

  test("that Kubernetes forgives leave the workload: the last of equal keys counts", () => {
    const text = lines(
      "apiVersion: v1",
      "kind: Pod",
      `spec: {tolerations: [{key: a}], containers: [{name: c, image: i}], tolerations: [{key: b}]}`,
    );
    const [document] = read(text).documents;
    expect(document?.yaml.problems.map(({ code }) => code)).toEqual(["duplicate-key"]);
    expect(document?.workloads[0]?.workload.template.tolerations).toMatchObject([{ key: "b" }]);
  });
});

describe("an edit", () => {
  const pod = (name: string) => lines("apiVersion: v1", "kind: Pod", `metadata: {name: ${name}}`, `spec: ${SPEC}`);
  /** Every field, also those that are only worked out when they are read. */
  const told = ({ text, template, documents }: ManifestFile) => ({
    text,
    template,
    documents: documents.map(({ yaml: { span, root, problems, aliases }, workloads, other }) => ({
      yaml: { span, root, problems, aliases },
      workloads,
      other,
    })),
  });
  const before = read(`${pod("a")}---\n${pod("b")}---\n${pod("c")}`);

  test("reads only the changed document again, and moves the ones behind it", () => {
    const text = `${pod("a")}---\n${pod("longer")}---\n${pod("c")}`;
    const after = readManifest(text, { path: "app.yaml", previous: before });
    expect(told(after)).toEqual(told(read(text)));
    expect(after.documents[0]).toBe(before.documents[0]);
  });

  test("leaves a template a template, and moves what does not decode", () => {
    const template = lines("apiVersion: v1", "kind: Pod", "spec: {containers: {{ .Values.containers }}}");
    const typed = lines(
      "apiVersion: v1",
      "kind: Pod",
      "spec: {containers: [{name: c, image: i}], nodeSelector: {gpu: true}}",
    );
    const text = `${template}---\n${typed}`;
    const moved = `# moved\n---\n${text}`;
    expect(told(readManifest(moved, { path: "app.yaml", previous: read(text) }))).toEqual(told(read(moved)));
  });

  test("that removes a document", () => {
    const text = `${pod("b")}---\n${pod("c")}`;
    expect(told(readManifest(text, { path: "app.yaml", previous: before }))).toEqual(told(read(text)));
  });

  test("after edit: equals a fresh reading, whatever was looked at between", () => {
    const sources = [
      pod("a"),
      lines("# a comment", "kind: List", "apiVersion: v1", `items: [{apiVersion: v1, kind: Pod, spec: ${SPEC}}]`),
      lines("apiVersion: v1", "kind: Pod", "spec: {containers: [{name: c, image: i}], nodeSelector: {gpu: true}}"),
      lines("apiVersion: v1", "kind: Pod", "metadata: &m {name: x}", "spec: {containers: *nobody, a: *m, a: 1}"),
      lines("apiVersion: v1", "kind: Pod", "spec: {containers: {{ .Values.containers }}}"),
      "kind: Other\n",
    ];
    const step = fc.record({ documents: fc.array(fc.constantFrom(...sources), { maxLength: 5 }), look: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
        let previous: ManifestFile | null = null;
        for (const { documents, look } of steps) {
          const text = documents.join("---\n");
          const after: ManifestFile = readManifest(text, { path: "app.yaml", previous });
          if (look) expect(told(after)).toEqual(told(read(text)));
          previous = after;
        }
        expect(previous === null ? null : told(previous)).toEqual(told(read(previous?.text ?? "")));
      }),
    );
  });
});
