// Lines, edits and diffs of plain text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../server/src/text/diff.ts";
import { applyEdits, joinEdits, orderEdits } from "../../server/src/text/edits.ts";
import { lineIndex } from "../../server/src/text/line-index.ts";
import type { TextEdit } from "../../server/src/text/span.ts";

const edit = (start: number, end: number, newText: string): TextEdit => ({ span: { start, end }, newText });

describe("lines", () => {
  test("end with LF, CRLF or CR; characters are UTF-16 units", () => {
    const index = lineIndex("a\nb😀c\r\nd\re");
    expect(index.lineCount).toBe(4);
    expect(index.positionAt(5)).toEqual({ line: 1, character: 3 });
    expect(index.positionAt(8)).toEqual({ line: 2, character: 0 });
    expect(index.positionAt(10)).toEqual({ line: 3, character: 0 });
    expect(index.offsetAt({ line: 1, character: 99 })).toBe(6);
    expect(index.offsetAt({ line: 9, character: 0 })).toBe(11);
    expect(index.positionAt(99)).toEqual({ line: 3, character: 1 });
  });

  test("offset → place → offset is the same offset, except inside a line end", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", "😀") }), (text) => {
        const index = lineIndex(text);
        for (let offset = 0; offset <= text.length; offset++) {
          const inLineEnd = text[offset - 1] === "\r" && text[offset] === "\n";
          if (!inLineEnd) expect(index.offsetAt(index.positionAt(offset))).toBe(offset);
        }
      }),
    );
  });
});

describe("edits", () => {
  test("apply in text order, insertions at one place in the order given", () => {
    expect(applyEdits("abc", [edit(3, 3, "!"), edit(0, 1, "x"), edit(3, 3, "?")])).toBe("xbc!?");
  });

  test("that overlap or lie outside are refused", () => {
    expect(orderEdits([edit(0, 2, ""), edit(1, 3, "")])).toBeNull();
    expect(orderEdits([edit(0, 9, "")], 3)).toBeNull();
    expect(() => applyEdits("abc", [edit(0, 2, ""), edit(1, 3, "")])).toThrow(RangeError);
  });

  test("of several fixes are joined whole or not at all", () => {
    const quote = [edit(0, 1, "'a'")];
    const remove = [edit(0, 3, ""), edit(5, 6, "x")];
    expect(joinEdits([quote, remove, quote, [edit(4, 4, "+")]])).toEqual({
      edits: [edit(0, 1, "'a'"), edit(4, 4, "+")],
      skipped: [1],
    });
  });
});

describe("a diff", () => {
  test("shows three lines around each change", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
    expect(unifiedDiff("x.yaml", before, before.replace("2\n", "two\n").replace("11\n", "11\n11b\n"))).toBe(
      [
        "--- a/x.yaml",
        "+++ b/x.yaml",
        "@@ -1,5 +1,5 @@",
        " 1",
        "-2",
        "+two",
        " 3",
        " 4",
        " 5",
        "@@ -9,4 +9,5 @@",
        " 9",
        " 10",
        " 11",
        "+11b",
        " 12",
        "",
      ].join("\n"),
    );
  });

  test("of equal texts is empty; a missing final line end is said", () => {
    expect(unifiedDiff("x", "a", "a")).toBe("");
    expect(unifiedDiff("x", "a", "a\n")).toBe("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    expect(unifiedDiff("x", "", "a\n")).toBe("--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
  });
});
