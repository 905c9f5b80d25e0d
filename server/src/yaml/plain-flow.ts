// YAML layer, plain reader: flow collections (`{a: 1}`, `[a, b]`).
import { leaveSubset, type PlainCursor } from "./plain-cursor.ts";
import { plainValue, readQuoted, startsPlain } from "./plain-scalars.ts";

const MAX_DEPTH = 100;
const FLOW_INDICATORS = ",[]{}";
/** A line break behind which a plain scalar does not go on. */
const FLOW_END = /^\s*[,\]}]/;

/** Reads a flow collection, quoted or plain scalar at the cursor; leaves the cursor behind it. */
export function readFlow(cursor: PlainCursor, depth: number): unknown {
  if (depth > MAX_DEPTH) leaveSubset();
  switch (cursor.text[cursor.at]) {
    case "{":
      return readFlowMapping(cursor, depth);
    case "[":
      return readFlowSequence(cursor, depth);
    case '"':
    case "'":
      return readQuoted(cursor);
    default:
      return plainValue(readFlowPlain(cursor));
  }
}

function readFlowMapping(cursor: PlainCursor, depth: number): unknown {
  const mapping: Record<string, unknown> = {};
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (takes(cursor, "}")) return mapping;
    const key = readFlowKey(cursor);
    if (Object.hasOwn(mapping, key) || key === "__proto__" || key === "<<") leaveSubset();
    skipBlanks(cursor);
    mapping[key] = takes(cursor, ":") ? readFlowValue(cursor, depth) : null;
    skipBlanks(cursor);
    if (!takes(cursor, ",") && cursor.text[cursor.at] !== "}") leaveSubset();
  }
}

function readFlowValue(cursor: PlainCursor, depth: number): unknown {
  skipBlanks(cursor);
  const next = cursor.text[cursor.at];
  return next === "," || next === "}" ? null : readFlow(cursor, depth + 1);
}

function readFlowSequence(cursor: PlainCursor, depth: number): unknown {
  const items: unknown[] = [];
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (takes(cursor, "]")) return items;
    items.push(readFlow(cursor, depth + 1));
    skipBlanks(cursor);
    // `[a: b]` is a mapping of one pair: outside the subset, like everything else that is neither `,` nor `]`.
    if (!takes(cursor, ",") && cursor.text[cursor.at] !== "]") leaveSubset();
  }
}

function readFlowKey(cursor: PlainCursor): string {
  const start = cursor.text[cursor.at];
  if (start === '"' || start === "'") return readQuoted(cursor);
  const source = readFlowPlain(cursor);
  return typeof plainValue(source) === "string" ? source : leaveSubset();
}

/** The text of a plain scalar in flow context, up to `,`, a bracket, `: ` or a comment. */
function readFlowPlain(cursor: PlainCursor): string {
  if (!startsPlain(cursor.code(), cursor.code(1))) leaveSubset();
  const start = cursor.at;
  for (; !cursor.atEnd; cursor.at += 1) {
    const char = cursor.text[cursor.at] ?? "";
    if (FLOW_INDICATORS.includes(char)) break;
    if (char === "\t") leaveSubset();
    if (char === "\n") {
      if (!FLOW_END.test(cursor.text.slice(cursor.at, cursor.at + 200))) leaveSubset();
      break;
    }
    if (char === "#" && cursor.text[cursor.at - 1] === " ") leaveSubset();
    if (char === ":") {
      const next = cursor.text[cursor.at + 1] ?? " ";
      if (next === " " || next === "\n" || next === "\r" || FLOW_INDICATORS.includes(next)) break;
    }
  }
  if (cursor.atEnd) leaveSubset();
  return cursor.text.slice(start, cursor.at).trimEnd();
}

function takes(cursor: PlainCursor, char: string): boolean {
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  return true;
}

/** Moves over spaces, line breaks and comment lines; the end of the text leaves the subset. */
function skipBlanks(cursor: PlainCursor): void {
  for (; !cursor.atEnd; cursor.at += 1) {
    const char = cursor.text[cursor.at];
    if (char === "\n") cursor.lineStart = cursor.at + 1;
    else if (char === "#" && cursor.at > 0 && " \n".includes(cursor.text[cursor.at - 1] ?? "")) {
      cursor.at = cursor.lineEnd(cursor.at) - 1;
    } else if (char !== " " && char !== "\r") return;
  }
  leaveSubset();
}
