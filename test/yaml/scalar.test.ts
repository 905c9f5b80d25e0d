// Scalars as Kubernetes reads them: every recorded answer of its own YAML reader.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { isFatal, parseText } from "../../server/src/yaml/parse.ts";
import { readVectors } from "../oracle/vectors.ts";

type Position = "value" | "item" | "flow" | "flowValue" | "key" | "flowKey";

const DOCUMENTS: Readonly<Record<Position, (text: string) => string>> = {
  value: (text) => `v: ${text}\n`,
  item: (text) => `v:\n- ${text}\n`,
  flow: (text) => `v: [${text}]\n`,
  flowValue: (text) => `v: {k: ${text}}\n`,
  key: (text) => `${text}: x\n`,
  flowKey: (text) => `v: {${text}: x}\n`,
};

/** What we read, in the vectors' terms: JSON text, or null where the document is refused. */
function reading(text: string): unknown {
  const document = parseText(text);
  if (document.problems.some(isFatal)) return "refused";
  return JSON.parse(JSON.stringify(toPlain(document.root)));
}

test("all recorded scalars are typed as the Kubernetes reader types them", () => {
  // Bytes that are no UTF-8 never reach us: reading a file turns them into U+FFFD.
  const undecodedBytes = (error: string | undefined) => error?.includes("UTF-8 octet") ?? false;
  const mismatches = readVectors("scalars").vectors.cases.flatMap(({ text, position, json, error }) => {
    if (undecodedBytes(error)) return [];
    const source = DOCUMENTS[position](text);
    const ours = reading(source);
    const theirs = json === undefined ? "refused" : JSON.parse(JSON.stringify(JSON.parse(json)));
    return isDeepStrictEqual(ours, theirs) ? [] : [{ source, ours, theirs }];
  });
  expect(mismatches).toEqual([]);
});

describe("beyond the recorded ones", () => {
  test.each([
    ["!!str 5", "5"],
    ["!!int '5'", 5],
    ["!!float 5", 5],
    ["!!binary aGk=", "hi"],
    ["!custom 5", "5"],
    ["0xFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFF"],
    ["9223372036854775808", 2 ** 63],
    [".1_0", 0.1],
    ["._1", "._1"],
    ["node-a", "node-a"],
  ])("%s", (text, value) => {
    expect(reading(`v: ${text}\n`)).toEqual({ v: value });
  });

  test.each(["!!int x", ".inf", "!!binary a b ?"])("%s is refused", (text) => {
    expect(reading(`v: ${text}\n`)).toBe("refused");
  });
});
