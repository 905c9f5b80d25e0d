// Documents: what Kubernetes reads in them, and the problems with their places.
import { describe, expect, test } from "vitest";
import { entryAt, keySpanAt, nodeAt, pathAt, shownSpan, toPlain } from "../../server/src/yaml/locate.ts";
import { isFatal, parseDocument, parseText } from "../../server/src/yaml/parse.ts";
import { splitDocuments } from "../../server/src/yaml/scan.ts";
import { shiftDocument } from "../../server/src/yaml/shift.ts";
import type { YamlDocument } from "../../server/src/yaml/tree.ts";

const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;

/** Problems as `code @ text`, where the text is what is underlined. */
function problems(text: string, document: YamlDocument = parseText(text)): string[] {
  return document.problems.map(({ code, span }) => `${code} @ ${text.slice(span.start, span.end)}`);
}

const plain = (text: string): unknown => toPlain(parseText(text).root);

describe("aliases and merge keys", () => {
  const text = lines(
    "tolerations: &tol",
    "- &gpu {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}",
    "- {<<: *gpu, effect: NoExecute}",
    "copy: *tol",
  );

  test("are resolved; a key that overrides a merged one is no duplicate", () => {
    expect(problems(text)).toEqual([]);
    const both = [
      { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" },
      { key: "nvidia.com/gpu", operator: "Exists", effect: "NoExecute" },
    ];
    expect(plain(text)).toEqual({ tolerations: both, copy: both });
  });

  test("point to the use, and name the anchored text behind it", () => {
    const { root } = parseText(text);
    const operator = nodeAt(root, ["copy", 0, "operator"]);
    expect(operator).not.toBeNull();
    if (operator === null) return;
    expect(text.slice(shownSpan(operator).start, shownSpan(operator).end)).toBe("*tol");
    expect(text.slice(operator.span.start, operator.span.end)).toBe("Exists");
    expect(text.slice(operator.alias?.anchor.start, operator.alias?.anchor.start).length).toBe(0);
    expect(entryAt(nodeAt(root, ["tolerations", 1]), "key")?.merged).toBe(true);
  });

  test("several sources of a merge: the first named wins", () => {
    expect(plain(lines("a: &a {k: 1, l: 1}", "b: &b {k: 2, m: 2}", "c: {<<: [*a, *b], m: 3}"))).toMatchObject({
      c: { k: 1, l: 1, m: 3 },
    });
  });

  test("a merge key behind an explicit key overrides it, as Kubernetes' reader has it", () => {
    expect(plain(lines("a: &a {x: 1}", "b: {x: 2, <<: *a}"))).toMatchObject({ b: { x: 1 } });
  });

  test("an anchor of another document is unknown, and only there", () => {
    const file = lines("tolerations: &tol []", "---", "spec: {tolerations: *tol}", "other: 1");
    const [first, second] = splitDocuments(file).map((document) => parseDocument(file, document));
    expect(first?.problems).toEqual([]);
    expect(second === undefined ? [] : problems(file, second)).toEqual(["unknown-anchor @ *tol"]);
    expect(toPlain(second?.root ?? null)).toEqual({ spec: { tolerations: null }, other: 1 });
  });

  test("an anchor inside itself, and aliases that unfold without bound, are problems", () => {
    expect(problems("a: &a [*a]\n")).toEqual(["alias-bomb @ *a"]);
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level++) {
      bomb.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
      );
    }
    expect(problems(lines(...bomb)).map((problem) => problem.split(" ")[0])).toEqual(["alias-bomb"]);
  });

  test("a merge of what is no mapping", () => {
    expect(problems(lines("a: &a [1]", "b: {<<: *a}"))).toEqual(["merge-source @ *a"]);
  });
});

describe("problems", () => {
  test("a key written twice: the last one counts", () => {
    const text = lines("spec:", "  tolerations: [{key: a}]", "  x: 1", "  tolerations: [{key: b}]");
    const document = parseText(text);
    expect(document.problems).toMatchObject([{ code: "duplicate-key", span: { start: 41 }, related: { start: 8 } }]);
    expect(document.problems.some(isFatal)).toBe(false);
    expect(toPlain(document.root)).toEqual({ spec: { x: 1, tolerations: [{ key: "b" }] } });
  });

  test.each([
    ["a: b: c\n", "syntax @ :"],
    ["a:\n- b\n  c: d\n", "syntax @ "],
    ["a: [1, 2\n", "syntax"],
    ["a: 'b\n", "syntax"],
    ["a:\n\tb: c\n", "tab-indent"],
    ["a: @b\n", "syntax"],
    ["? [a, b]\n: c\n", "not-convertible"],
    ["a: .inf\n", "not-convertible @ .inf"],
    ["~: x\n", "not-convertible @ ~"],
    ["a: !!int x\n", "not-convertible @ x"],
    ['a: "\\q"\n', "syntax @ "],
    ["a: \0\n", "syntax"],
  ])("%j", (text, problem) => {
    expect(problems(text)[0]).toContain(problem.trim());
  });

  test.each([
    ["brackets", "[".repeat(100_000)],
    ["braces", '{"a":'.repeat(50_000)],
    ["dashes", "- ".repeat(50_000)],
    ["indentation", Array.from({ length: 3000 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")],
  ])("nesting by %s is bounded", (_, text) => {
    expect(problems(text).map((problem) => problem.split(" ")[0])).toEqual(["too-deep"]);
  });
});

describe("styles", () => {
  test.each([
    ["CRLF", "a:\r\n- b: |\r\n    x\r\n    y\r\n  c: 'd\r\n    e'\r\n", { a: [{ b: "x\ny\n", c: "d e" }] }],
    ["JSON with tabs and escapes", '{\n\t"a": [1, "\\/\\u00e9\\ud83d\\ude00"]\n}', { a: [1, "/é😀"] }],
    ["a block scalar that holds a mark", "a: |\n  x\n  ---\n  y\n", { a: "x\n---\ny\n" }],
    ["chomping", "a: |-\n  x\nb: |+\n  y\n\nc: >\n  x\n  y\n\n  z\n", { a: "x", b: "y\n\n", c: "x y\nz\n" }],
    ["an indentation indicator", "a: |2\n    x\n", { a: "  x\n" }],
    ["plain text over lines", "a: b\n  c\n\n  d # e\n", { a: "b c\nd" }],
    ["quotes over lines, even in the first column", "a: '[\n{x}\n]'\n", { a: "[ {x} ]" }],
    ["a list in its key's column", "a:\n- 1\n- - 2\n  -\nb:\n", { a: [1, [2, null]], b: null }],
    ["complex keys", '? a\n: - 1\n? b\n? "c"\n: k: e\n', { a: [1], b: null, c: { k: "e" } }],
    ["complex keys in brackets", "{? a : 1, ? b, ?\n  c\n  : 2}", { a: 1, b: null, c: 2 }],
    ["compact pairs", "[a: 1, b, {c, d: }]\n", [{ a: 1 }, "b", { c: null, d: null }]],
    ["keys as JSON has them", "yes: 1\n010: 2\n1.50: 3\n1e6: 4\n", { true: 1, 8: 2, "1.5": 3, "1e+06": 4 }],
    ["a byte order mark", "\uFEFFa: 1\n", { a: 1 }],
    ["a comment behind quotes", 'a: "b"#c\n', { a: "b" }],
    ["__proto__ as a key", '{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
  ])("%s", (_, text, value) => {
    expect(problems(text)).toEqual([]);
    expect(plain(text)).toEqual(value);
  });

  test("directives and the document's end", () => {
    const text = lines("%YAML 1.1", "---", "a: yes", "...", "%TAG ! tag:x,2000:", "---", "b: !c d");
    const documents = splitDocuments(text).map((document) => parseDocument(text, document));
    expect(documents.map(({ root }) => toPlain(root))).toEqual([{ a: true }, { b: "d" }]);
    expect(documents.flatMap((document) => document.problems)).toEqual([]);
  });
});

describe("places", () => {
  const text = lines("spec:", "  nodeSelector: {pool: rdma}", "  tolerations:", "  - key: a", "    value:");

  test("of keys, values and absent values", () => {
    const { root } = parseText(text);
    const shown = (path: (string | number)[]) => {
      const span = keySpanAt(root, path);
      return span === null ? null : text.slice(span.start, span.end);
    };
    expect(shown(["spec", "nodeSelector", "pool"])).toBe("pool");
    expect(shown(["spec", "tolerations", 0])).toBe("key: a\n    value:");
    expect(shown(["spec", "nope"])).toBeNull();
    const value = nodeAt(root, ["spec", "tolerations", 0, "value"]);
    expect(value?.span).toEqual({ start: text.lastIndexOf("value:") + 6, end: text.lastIndexOf("value:") + 6 });
  });

  test.each([
    ["rdma", ["spec", "nodeSelector", "pool"], false],
    ["pool", ["spec", "nodeSelector", "pool"], true],
    ["tolerations", ["spec", "tolerations"], true],
    ["a\n", ["spec", "tolerations", 0, "key"], false],
  ])("path at %j", (needle, path, onKey) => {
    expect(pathAt(parseText(text).root, text.indexOf(needle) + 1)).toMatchObject({ path, onKey });
  });

  test("move with the document", () => {
    const { span, root, problems, aliases } = shiftDocument(parseText(text), 10);
    const behind = parseDocument(`${"#".repeat(9)}\n${text}`, { span: { start: 10, end: 10 + text.length }, head: 10 });
    expect({ span, root, problems, aliases }).toEqual(behind);
  });
});
