// The scan: which documents of a file are worth parsing, and where they start and end.
import { describe, expect, test } from "vitest";
import { scanDocuments, splitDocuments } from "../../server/src/yaml/scan.ts";

const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;
const texts = (text: string): string[] => splitDocuments(text).map(({ span }) => text.slice(span.start, span.end));
const found = (text: string): string[] => scanDocuments(text).map(({ span }) => text.slice(span.start, span.end));

const POD = lines("apiVersion: v1", "kind: Pod", "spec: {containers: []}");

describe("documents", () => {
  test.each([
    ["marks, comments and empty documents", "# head\n---\n\na: 1\n---\n# nothing\n---\nb: 2\n", ["\na: 1\n", "b: 2\n"]],
    ["CRLF", "a: 1\r\n---\r\nb: 2\r\n", ["a: 1\r\n", "b: 2\r\n"]],
    ["a mark inside a block scalar", "a: |\n  ---\n  x\n---\nb: 2\n", ["a: |\n  ---\n  x\n", "b: 2\n"]],
    ["dashes that are no mark", "a: |\n  x\n-----\n---x: 1\n", ["a: |\n  x\n-----\n---x: 1\n"]],
    ["content and comments behind the mark", "--- {a: 1}\n--- # c\nb: 2\n", [" {a: 1}\n", " # c\nb: 2\n"]],
    ["an end mark", "a: 1\n...\n---\nb: 2\n...\n", ["a: 1\n", "b: 2\n"]],
    ["a byte order mark", "\uFEFFa: 1\n---\n\uFEFFb: 2", ["a: 1\n", "\uFEFFb: 2"]],
    ["no final line end", "a: 1\n---\nb: 2\n---", ["a: 1\n", "b: 2\n"]],
  ])("%s", (_, text, documents) => {
    expect(texts(text)).toEqual(documents);
  });

  test("directives belong to the document behind the mark", () => {
    const text = "%YAML 1.1\n# c\n---\na: 1\n";
    expect(splitDocuments(text)).toEqual([{ head: 0, span: { start: 18, end: text.length } }]);
  });
});

describe("documents that can hold a workload", () => {
  test.each([
    ["a word", POD],
    ["quotes", POD.replace("kind: Pod", "'kind': \"Pod\"")],
    ["an anchor", POD.replace("kind: Pod", "kind: &k Pod")],
    ["an alias", POD.replace("kind: Pod", "kind: *k")],
    ["the next line", POD.replace("kind: Pod", "kind:\n  Pod")],
    ["a complex key", POD.replace("kind: Pod", "? kind\n: Pod")],
    ["brackets", "{apiVersion: v1, kind: Pod, spec: {containers: []}}\n"],
    ["JSON", '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[]}}'],
    ["JSON with tabs", '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"spec": {"containers": []}\n}'],
    ["a list", lines("apiVersion: v1", "kind: List", "items:", "- kind: Pod", "  spec: {containers: []}")],
    ["a typed list", lines("kind: DaemonSetList", "apiVersion: apps/v1", "items: [{spec: {tolerations: []}}]")],
    ["indentation", POD.replace(/^/gm, "  ")],
    ["a patch", lines("kind: DaemonSet", "spec: {template: {spec: {tolerations: []}}}")],
    ["broken text", lines("kind: DaemonSet", "spec: [", "tolerations: *x")],
    ["a JSON6902 patch", lines("# c", "- op: add", "  path: /spec/template/spec/tolerations/-", "  value: {key: a}")],
    ["a JSON6902 patch in JSON", '[{"op": "add", "path": "/spec/template/spec/nodeSelector", "value": {}}]'],
  ])("%s", (_, text) => {
    expect(found(text)).toHaveLength(1);
    expect(found(`a: 1\n---\n${text}`)).toHaveLength(1);
  });

  test.each([
    [
      "a custom resource that names a workload",
      lines("kind: ScaledObject", "spec:", "  scaleTargetRef: {kind: Deployment}", "x: {affinity: 1}"),
    ],
    [
      "a workload in a ConfigMap's text",
      lines("kind: ConfigMap", "data:", "  pod: |", "    kind: Pod", "    containers: []"),
    ],
    ["values with a kind", lines("controller:", "  kind: DaemonSet", "  tolerations: []")],
    ["a kind that begins alike", lines("apiVersion: v1", "kind: PodDisruptionBudget", "x: {containers: 1}")],
    ["a workload without pod spec", lines("kind: Deployment", "spec: {replicas: 3}")],
    ["a list of something else", lines("- option: a", "  path: b", "  tolerations: []")],
    ["nothing", ""],
  ])("not: %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test("lines of 100 kB and files of 4 MB", () => {
    const long = `apiVersion: v1\nkind: ConfigMap\ndata: {x: "${"kind: Pod ".repeat(10_000)}"}\n---\n`;
    expect(found(long.repeat(40) + POD)).toEqual([POD]);
  });
});
