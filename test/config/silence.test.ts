// `# taintwise-ignore` comments: what they reach.
import { describe, expect, it } from "vitest";
import { isSilenced, readSilences } from "../../server/src/config/silence.ts";
import { splitDocuments } from "../../server/src/yaml/scan.ts";

/** Which lines (0-based) of a text have `code` silenced where their content starts. */
function silencedLines(text: string, code: "toleration-gap" | "unschedulable"): readonly number[] {
  const { silences } = readSilences(
    text,
    splitDocuments(text).map((document) => document.span),
  );
  let offset = 0;
  return text.split("\n").flatMap((line, index) => {
    const start = offset + line.length - line.trimStart().length;
    offset += line.length + 1;
    return line.trim() !== "" && !/^\s*(#|---)/.test(line) && isSilenced(silences, code, start) ? [index] : [];
  });
}

describe("a silence comment", () => {
  it("reaches the next line with content", () => {
    const text = "a: 1\n# taintwise-ignore: toleration-gap\n\n# why\nb: 2\nc: 3\n";
    expect(silencedLines(text, "toleration-gap")).toEqual([4]);
    expect(silencedLines(text, "unschedulable")).toEqual([]);
  });

  it("behind content reaches its own line", () => {
    expect(silencedLines("a: 1 # taintwise-ignore: toleration-gap\nb: 2\n", "toleration-gap")).toEqual([0]);
  });

  it("in the head of a document reaches all of it and no other", () => {
    const head = "# taintwise-ignore: unschedulable, toleration-gap -- moved by hand\na: 1\nb: 2\n---\nc: 3\n";
    expect(silencedLines(head, "toleration-gap")).toEqual([1, 2]);
    const second = "a: 1\n---\n# x\n# taintwise-ignore: toleration-gap\nb: 2\nc: 3\n---\nd: 4\n";
    expect(silencedLines(second, "toleration-gap")).toEqual([4, 5]);
    expect(silencedLines("# taintwise-ignore: toleration-gap\n---\na: 1\nb: 2\n", "toleration-gap")).toEqual([2, 3]);
  });

  it("reports words that are no code, and a comment without any", () => {
    const text = "a: 1\n# taintwise-ignore: toleration-gab, unschedulable\nb: 2\n# taintwise-ignore:\nc: 3\n";
    const { silences, problems } = readSilences(
      text,
      splitDocuments(text).map((document) => document.span),
    );
    expect(silences.map((silence) => silence.codes)).toEqual([["unschedulable"]]);
    expect(problems.map((problem) => problem.message)).toEqual([
      "toleration-gab is no diagnostic code.",
      "Name the codes to silence.",
    ]);
  });
});
