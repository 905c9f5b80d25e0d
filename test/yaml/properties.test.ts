// Properties: any text is read without a throw, spans stay inside it, and edits followed by reading give the intended tree.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../server/src/text/edits.ts";
import { readManifest } from "../../server/src/workload/read.ts";
import * as edit from "../../server/src/yaml/edit/index.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseDocument, parseText } from "../../server/src/yaml/parse.ts";
import { splitDocuments } from "../../server/src/yaml/scan.ts";
import type { YamlNode } from "../../server/src/yaml/tree.ts";

type Plain = edit.PlainValue;
type PlainMap = { readonly [key: string]: Plain };

const FRAGMENTS = [
  ..."abc01-:?[]{},#&*!|>'\"%@`\\ \t\n\r~<=.é\u2028\uFEFF\0",
  ..."\n  |\n    |- |: |key: |k: v\n|- - |? |<<: *a|&a |*a|!!str |!t |--- |---\n|...\n|%YAML 1.1\n|# c\n|{{ x }}".split(
    "|",
  ),
  ..."kind: Pod\n|apiVersion: v1\n|spec:\n|containers: []\n|tolerations:\n|true|010|'x'|\"y\\n\"|>-\n|[a, b]|{a: 1}|\r\n".split(
    "|",
  ),
];
const anyYaml = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(""));

describe("any text", () => {
  test.each([
    ["of YAML's own characters", anyYaml],
    ["at all", fc.string({ unit: "binary", maxLength: 200 })],
  ])("%s is read, and every span lies inside of it", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        readManifest(text, { path: "x.yaml" });
        for (const scanned of splitDocuments(text)) {
          const { root, problems } = parseDocument(text, scanned);
          for (const { span } of problems) expect([span.start >= 0, span.end <= text.length + 1]).toEqual([true, true]);
          if (root !== null) checkSpans(root, text);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("bytes that are no text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        readManifest(new TextDecoder().decode(bytes), { path: "x.yaml" });
      }),
    );
  });
});

function checkSpans(node: YamlNode, text: string): void {
  expect(node.span.start).toBeLessThanOrEqual(node.span.end);
  expect(node.span.end).toBeLessThanOrEqual(text.length);
  if (node.kind === "sequence") for (const item of node.items) checkSpans(item, text);
  if (node.kind === "mapping") for (const { value } of node.entries) checkSpans(value, text);
}

const KEYS = ["a", "b-c", "kubernetes.io/os", "yes", "x y", "1", "é"];
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "true",
    "010",
    "~",
    "a",
    "NoSchedule",
    "a: b",
    "a #b",
    "- x",
    "it's",
    '"',
    "{",
    "x\ny",
    " x",
    "x ",
    "*a",
    "null",
    "1e3",
    "日本",
  ),
  fc.string({ maxLength: 8 }),
);
const scalars: fc.Arbitrary<Plain> = fc.oneof(
  texts,
  fc.boolean(),
  fc.integer({ min: -1000, max: 1000 }),
  fc.constant(null),
);
const { value: values } = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 3 }),
  ),
}));

/** A pod spec as somebody could have written it: block or flow, its own indentation, comments and line ends. */
const sources = fc.record({
  tolerations: fc.array(fc.dictionary(fc.constantFrom("key", "operator", "value"), scalars, { minKeys: 1 }), {
    maxLength: 3,
  }),
  other: fc.dictionary(fc.constantFrom("hostNetwork", "x", "nodeSelector"), values, { maxKeys: 2 }),
  style: fc.record({
    form: fc.constantFrom("block", "flow", "json"),
    indent: fc.constantFrom(1, 2, 4),
    dashOffset: fc.constantFrom(0, 2),
    eol: fc.constantFrom("\n", "\r\n"),
    comments: fc.boolean(),
    finalEol: fc.boolean(),
  }),
});

interface Style {
  readonly form: string;
  readonly indent: number;
  readonly dashOffset: number;
  readonly eol: string;
  readonly comments: boolean;
  readonly finalEol: boolean;
}

function isMap(value: Plain): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes a value by rules of its own, so that a fault of the renderer cannot hide itself. */
function write(value: Plain, column: number, style: Style): string {
  const comment = style.comments ? " # c" : "";
  const own = style.comments ? `${" ".repeat(column)}# own line\n` : "";
  if (Array.isArray(value) && value.length > 0) {
    return value
      .map(
        (item) =>
          `\n${own}${" ".repeat(column)}-${
            isMap(item) && Object.keys(item).length > 0
              ? ` ${write(item, column + 2, style)
                  .trimStart()
                  .replace(/^(?:# own line\n)\s*/, "")}`
              : write(item, column + 2, style)
          }`,
      )
      .join("");
  }
  if (isMap(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, item]) => {
        const deeper = Array.isArray(item) ? column + style.dashOffset : column + style.indent;
        return `\n${own}${" ".repeat(column)}${JSON.stringify(key)}:${write(item, deeper, style)}`;
      })
      .join("");
  }
  return ` ${JSON.stringify(value)}${comment}`;
}

function sourceOf(spec: PlainMap, style: Style): string {
  const body =
    style.form === "block"
      ? `spec:${write(spec, style.indent, style)}`
      : JSON.stringify({ spec }, null, style.form === "json" ? style.indent : 0);
  const text = body + (style.finalEol ? "\n" : "");
  return text.replaceAll("\n", style.eol);
}

describe("an edit, then reading", () => {
  /** Makes the edit and compares with the intended value; an edit may be refused, never wrong. */
  const check = (
    intend: (spec: PlainMap) => PlainMap | null,
    make: (target: edit.EditTarget) => edit.Edits,
    keepsComments = true,
  ) => {
    let made = 0;
    fc.assert(
      fc.property(sources, ({ tolerations, other, style }) => {
        const spec: PlainMap = { ...other, tolerations, containers: [{ name: "c" }] };
        const text = sourceOf(spec, style);
        const document = parseText(text);
        expect(document.problems).toEqual([]);
        if (document.root === null) return;
        expect(toPlain(document.root)).toEqual({ spec });
        const intended = intend(spec);
        if (intended === null) return;
        const edits = make({ text, document, root: document.root });
        if (edits === null) return;
        made++;
        const result = applyEdits(text, edits);
        const again = parseText(result);
        expect(again.problems).toEqual([]);
        expect(toPlain(again.root)).toEqual({ spec: intended });
        // Comments go only with what holds them, and the line ends stay of one kind.
        if (keepsComments) expect(result.split("# own line").length).toBe(text.split("# own line").length);
        if (style.eol === "\r\n") expect(result.replaceAll("\r\n", "")).not.toContain("\n");
      }),
      { numRuns: 1000 },
    );
    expect(made).toBeGreaterThan(50);
  };
  const list = (spec: PlainMap): readonly Plain[] => (Array.isArray(spec.tolerations) ? spec.tolerations : []);
  const without = (spec: PlainMap, key: string): PlainMap =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => name !== key));

  test("an item appended", () => {
    const item = { key: "true", operator: "Exists", value: "a: b" };
    check(
      (spec) => ({ ...spec, tolerations: [...list(spec), item] }),
      (target) => edit.appendItems(target, ["spec", "tolerations"], [item]),
    );
  });

  test("an item removed", () => {
    check(
      (spec) => (list(spec).length > 0 ? { ...spec, tolerations: list(spec).slice(1) } : null),
      (target) => edit.removeItem(target, ["spec", "tolerations", 0]),
      false,
    );
    check(
      (spec) => (list(spec).length > 0 ? { ...spec, tolerations: list(spec).slice(0, -1) } : null),
      (target) => {
        const items = toPlain(target.root) as { spec: { tolerations: unknown[] } };
        return edit.removeItem(target, ["spec", "tolerations", items.spec.tolerations.length - 1]);
      },
      false,
    );
  });

  test("an item replaced", () => {
    check(
      (spec) =>
        list(spec).length > 0 ? { ...spec, tolerations: [{ key: "1" }, { key: "b" }, ...list(spec).slice(1)] } : null,
      (target) => edit.replaceItem(target, ["spec", "tolerations", 0], [{ key: "1" }, { key: "b" }]),
      false,
    );
  });

  test("a key inserted at the end, and before another", () => {
    const affinity = { nodeAffinity: { required: [{ key: "a", values: ["no", "b"] }] }, empty: {}, none: [] };
    check(
      (spec) => ({ ...spec, affinity }),
      (target) => edit.insertEntry(target, ["spec"], "affinity", affinity),
    );
    check(
      (spec) => ({ ...spec, affinity }),
      (target) => edit.insertEntry(target, ["spec"], "affinity", affinity, ["tolerations"]),
    );
    check(
      (spec) => ({ ...spec, affinity }),
      (target) => edit.insertEntry(target, ["spec"], "affinity", affinity, ["hostNetwork", "x"]),
    );
  });

  test("a key removed", () => {
    check(
      (spec) => without(spec, "tolerations"),
      (target) => edit.removeEntry(target, ["spec", "tolerations"]),
      false,
    );
    check(
      (spec) => ("x" in spec ? without(spec, "x") : null),
      (target) => edit.removeEntry(target, ["spec", "x"]),
      false,
    );
  });

  test("a key moved", () => {
    check(
      (spec) => ({ ...without(spec, "tolerations"), containers: [{ name: "c", tolerations: list(spec) }] }),
      (target) => edit.moveEntry(target, ["spec", "tolerations"], ["spec", "containers", 0], ["name"]),
    );
  });

  test("a scalar set and quoted", () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom("v: x\n", "v: 'x' # c\n", 'v: "x"\n', "{v: x}", "- v: x\n  w: 1\n", "[{v: x}]"),
        (value, source) => {
          const document = parseText(source);
          if (document.root === null) return;
          const path = document.root.kind === "sequence" ? [0, "v"] : ["v"];
          const edits = edit.setScalar({ text: source, document, root: document.root }, path, value);
          const again = parseText(applyEdits(source, edits ?? []));
          expect(again.problems).toEqual([]);
          const plain = toPlain(again.root) as Record<string, unknown> | Record<string, unknown>[];
          expect(Array.isArray(plain) ? plain[0]?.v : plain.v).toBe(value);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
