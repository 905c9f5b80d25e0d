// The fast reader must never differ from the full parser where it answers at all.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { isFatal, parseDocument } from "../../server/src/yaml/parse.ts";
import { readPlainDocument } from "../../server/src/yaml/plain-reader.ts";
import { splitDocuments } from "../../server/src/yaml/scan.ts";

function plain(text: string): unknown {
  return readPlainDocument(text, 0, text.length)?.value;
}

describe("what kubectl prints", () => {
  it("is read with folded scalars, literals, long keys and lists at their key's column", () => {
    const text = `apiVersion: v1
items:
- apiVersion: v1
  kind: Node
  metadata:
    annotations:
      note: 'it''s wrapped
        here'
      script: |-
        #!/bin/sh
          exit 0
    creationTimestamp: null
    labels: {}
    managedFields:
    - fieldsV1:
        ? f:kubectl.kubernetes.io/a-very-long-key
        : .: {}
          f:x: {}
  spec:
    taints:
    - effect: NoSchedule
      key: dedicated
      value: "true"
  status:
    conditions:
    - message: kubelet stopped posting node
        status.
      status: Unknown
    ports: [1, 2]
kind: List
`;
    expect(plain(text)).toEqual({
      apiVersion: "v1",
      items: [
        {
          apiVersion: "v1",
          kind: "Node",
          metadata: {
            annotations: { note: "it's wrapped here", script: "#!/bin/sh\n  exit 0" },
            creationTimestamp: null,
            labels: {},
            managedFields: [{ fieldsV1: { "f:kubectl.kubernetes.io/a-very-long-key": { ".": {}, "f:x": {} } } }],
          },
          spec: { taints: [{ effect: "NoSchedule", key: "dedicated", value: "true" }] },
          status: {
            conditions: [{ message: "kubelet stopped posting node status.", status: "Unknown" }],
            ports: [1, 2],
          },
        },
      ],
      kind: "List",
    });
  });

  it("has its items' places", () => {
    const text = "kind: List\nitems:\n- a: 1\n-\n  b: 2\n- c\n";
    const offsets = readPlainDocument(text, 0, text.length)?.itemOffsets ?? [];
    expect(offsets.map((offset) => text.slice(offset, offset + 1))).toEqual(["a", "b", "c"]);
  });
});

it("passes over what nobody reads, where it stands on lines of its own", () => {
  const text = "a:\n  images:\n  - names: [x\n  - '\n  b: 1\nimages:\n  - c: &d 1\n\n  # e\nlabels:\n  images: kept\n";
  expect(readPlainDocument(text, 0, text.length, new Set(["images"]))?.value).toEqual({
    a: { images: null, b: 1 },
    images: null,
    labels: { images: "kept" },
  });
});

describe("what is left to the full parser", () => {
  it.each([
    ["an anchor", "a: &x 1"],
    ["an alias", "a: *x"],
    ["a tag", "a: !!str 1"],
    ["a merge key", "<<: {a: 1}"],
    ["a folded scalar", "a: >\n  b\n"],
    ["a key twice", "a: 1\na: 2"],
    ["a tab", "a:\n\tb: 1"],
    ["a key that is no text", "1: a"],
    ["a nested mapping on one line", "a: b: c"],
    ["an unclosed quote", "a: 'b"],
    ["an unclosed flow mapping", "a: {b: 1"],
    ["a wrong indentation", "a:\n  b: 1\n c: 2"],
    ["an infinity", "a: .inf"],
    ["a key that would be a prototype", "__proto__: {a: 1}"],
  ])("%s", (_, text) => {
    expect(readPlainDocument(text, 0, text.length)).toBeNull();
  });

  it("nesting without end", () => {
    const text = `a: ${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect(readPlainDocument(text, 0, text.length)).toBeNull();
  });
});

const KEY = fc.constantFrom("a", "b", "key", '"q"', "'s'", "n/k.io", "y", "1", "- a", "? a", ": b", "-", "");
const SCALAR = fc.constantFrom(
  ...[
    "x",
    "1",
    "010",
    "1_000",
    "0x1F",
    "1e3",
    ".5",
    "yes",
    "off",
    "~",
    "null",
    "",
    "'q'",
    "'it''s'",
    '"d"',
    '"\\n\\u0041"',
  ],
  ...[
    "a b",
    "a: b",
    "a #b",
    "a#b",
    "#c",
    "[]",
    "{}",
    "[a, 1, {b: c}]",
    "{a: 1, b: }",
    "{a}",
    "[a: b]",
    "|",
    "|-",
    "|+",
    "|2",
  ],
  ...[
    ">",
    "&a x",
    "*a",
    "!t x",
    "-",
    "- a",
    "?",
    ":",
    "http://x:80",
    "a:b",
    "2021-01-01",
    "'a",
    '"b',
    "{a: 'x', \"b\":1}",
    "x ",
    "[",
    "%a",
    "@b",
  ],
);
const LINE = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom("", "- ", "- - "),
    fc.option(KEY, { nil: null }),
    SCALAR,
    fc.constantFrom("", " ", " # c"),
  )
  .map(
    ([indent, dash, key, scalar, end]) =>
      `${"  ".repeat(indent)}${dash}${key === null ? "" : `${key}: `}${scalar}${end}`,
  );
const TEXT = fc
  .tuple(fc.array(LINE, { minLength: 1, maxLength: 7 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.map((line) => line + end).join(""));

/** Quotes that go on at too small an indentation: Kubernetes' parser takes them, the full parser here may not. */
const SPANS_LINES = /^[^'"]*(?:'[^']*'|"[^"]*")*[^'"]*['"][^'"]*\n/m;

it("agrees with the full parser on random documents", () => {
  let answered = 0;
  fc.assert(
    fc.property(TEXT, (text) => {
      const fast = readPlainDocument(text, 0, text.length);
      if (fast === null) return;
      answered += 1;
      const [document] = splitDocuments(text);
      const full = document === undefined ? null : parseDocument(text, document);
      const fatal = full?.problems.find(isFatal);
      if (fatal !== undefined && SPANS_LINES.test(text)) return;
      expect(fatal?.message).toBeUndefined();
      expect(fast.value).toEqual(toPlain(full?.root ?? null));
    }),
    { numRuns: 3000 },
  );
  expect(answered).toBeGreaterThan(100);
});

/** Writes JSON data in block style, lists at their key's column as kubectl does. */
function blockStyle(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}- ${blockStyle(item, `${indent}  `).trimStart()}`).join("");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, item]) => {
        const inner = Array.isArray(item) ? indent : `${indent}  `;
        return `\n${indent}${JSON.stringify(key)}: ${blockStyle(item, inner)}`;
      })
      .join("");
  }
  if (typeof value === "string" && /^[a-z]+(?: ?[\w#.]+)*\n?$/.test(value)) {
    return `${value.endsWith("\n") ? "|" : "|-"}\n${indent}  ${value.trimEnd()}`;
  }
  return JSON.stringify(value);
}

it("reads back whatever is written in block style", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,5}( [a-z0-9#.]{1,4}){0,3}\n?$/));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== "__proto__" && key !== "<<"),
        tie("value"),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), json, { noNullPrototype: true }), (value) => {
      expect(plain(`${blockStyle(value, "").trimStart()}\n`)).toEqual(value);
    }),
  );
});
