// YAML layer, plain reader: plain, quoted and literal scalars.
import { leaveSubset, type PlainCursor } from "./plain-cursor.ts";
import { typePlain } from "./scalar.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\r?\n[ \t]*)|([\s\S]))/g;
const LITERAL_HEADER = /^\|([1-9]?)([+-]?)([1-9]?)[ ]*(?:#.*)?$/;
const NOT_PLAIN_START = new Set([...",[]{}#&*!|>'\"%@`"].map((char) => char.charCodeAt(0)));
const DASH = 45;
const QUESTION = 63;
const COLON = 58;
const SPACE = 32;
const BACKSLASH = 92;

/** A scalar in the words of JSON. */
export type PlainValue = string | number | boolean | null;

/** Types a plain scalar as Kubernetes does. */
export function plainValue(source: string): PlainValue {
  const typed = typePlain(source);
  switch (typed.type) {
    case "string":
      return typed.value;
    case "null":
      return null;
    case "number":
      // JSON has neither infinities nor NaN: the full reader says what is wrong.
      return Number.isFinite(typed.value) ? typed.value : leaveSubset();
    case "bool":
      return typed.value;
  }
}

/** Whether a plain scalar may start with `code`, followed by `next`. */
export function startsPlain(code: number, next: number): boolean {
  if (code === DASH || code === QUESTION || code === COLON) return next > SPACE;
  return code > SPACE && !NOT_PLAIN_START.has(code);
}

/**
 * Reads a plain scalar of block context, continued on lines that are indented deeper than `parent` columns.
 * Leaves the cursor on the last line it took.
 */
export function readPlain(cursor: PlainCursor, parent: number): PlainValue {
  if (!startsPlain(cursor.code(), cursor.code(1))) leaveSubset();
  const first = plainLine(cursor);
  let text = first.text;
  let ended = first.comment;
  for (;;) {
    const start = cursor.nextLineStart(cursor.at);
    if (ended || start >= cursor.end) break;
    let next = start;
    let line = start;
    let blanks = 0;
    // Blank lines belong to the scalar only where another line of it follows.
    while (line < cursor.end && cursor.text.slice(line, cursor.lineEnd(line)).trim() === "") {
      blanks += 1;
      line = cursor.nextLineStart(line);
      next = line;
    }
    const indent = indentAt(cursor, next);
    if (next >= cursor.end || indent <= parent) break;
    if (cursor.text[next + indent] === "\t") leaveSubset();
    if (cursor.text[next + indent] === "#") break;
    cursor.lineStart = next;
    cursor.at = next + indent;
    const more = plainLine(cursor);
    text += (blanks === 0 ? " " : "\n".repeat(blanks)) + more.text;
    ended = more.comment;
  }
  return plainValue(text);
}

/** The rest of the line as plain text; a `: ` in it would be a mapping. */
function plainLine(cursor: PlainCursor): { readonly text: string; readonly comment: boolean } {
  let stop = cursor.lineEnd(cursor.at);
  let text = cursor.text.slice(cursor.at, stop);
  const comment = text.search(/[ \t]#/);
  if (comment >= 0) {
    text = text.slice(0, comment);
    stop = cursor.at + comment;
  }
  text = text.trimEnd();
  if (text.endsWith(":") || text.includes(": ") || text.includes(":\t")) leaveSubset();
  cursor.at = stop;
  return { text, comment: comment >= 0 };
}

function indentAt(cursor: PlainCursor, lineStart: number): number {
  let at = lineStart;
  while (at < cursor.end && cursor.text.charCodeAt(at) === SPACE) at += 1;
  return at - lineStart;
}

/** Reads a quoted scalar, which may span lines. Leaves the cursor behind the closing quote. */
export function readQuoted(cursor: PlainCursor): string {
  const quote = cursor.text[cursor.at];
  const start = cursor.at + 1;
  const close = quote === "'" ? closeOfSingle(cursor, start) : closeOfDouble(cursor, start);
  const raw = cursor.text.slice(start, close);
  cursor.at = close + 1;
  const lastBreak = raw.lastIndexOf("\n");
  if (lastBreak >= 0) cursor.lineStart = start + lastBreak + 1;
  if (quote === "'") return fold(raw).replaceAll("''", "'");
  return raw.includes("\\") ? unescapeDouble(raw) : fold(raw);
}

function closeOfSingle(cursor: PlainCursor, start: number): number {
  let close = cursor.text.indexOf("'", start);
  while (close >= 0 && close < cursor.end && cursor.text[close + 1] === "'") {
    close = cursor.text.indexOf("'", close + 2);
  }
  return close < 0 || close >= cursor.end ? leaveSubset() : close;
}

function closeOfDouble(cursor: PlainCursor, start: number): number {
  let close = cursor.text.indexOf('"', start);
  while (close >= 0 && close < cursor.end && isEscaped(cursor.text, start, close)) {
    close = cursor.text.indexOf('"', close + 1);
  }
  return close < 0 || close >= cursor.end ? leaveSubset() : close;
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let at = quote;
  while (at > start && text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

/** Line breaks inside quotes: one is a space, more are one less; blanks around them go. */
function fold(raw: string): string {
  if (!raw.includes("\n")) return raw;
  return raw.replace(/[ \t]*\r?\n(?:[ \t]*\r?\n)*[ \t]*/g, (gap) => {
    const breaks = gap.split("\n").length - 1;
    return breaks === 1 ? " " : "\n".repeat(breaks - 1);
  });
}

function unescapeDouble(raw: string): string {
  let text = "";
  let last = 0;
  for (const match of raw.matchAll(ESCAPE)) {
    const [whole, hex2, hex4, hex8, lineBreak, char] = match;
    text += fold(raw.slice(last, match.index));
    last = match.index + whole.length;
    const hex = hex2 ?? hex4 ?? hex8;
    if (hex !== undefined) text += codePoint(hex);
    else if (lineBreak === undefined) text += ESCAPES[char ?? ""] ?? leaveSubset();
  }
  return text + fold(raw.slice(last));
}

function codePoint(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : leaveSubset();
}

/**
 * Reads a literal block scalar (`|`); folded ones are outside the subset. `parent` is the column of the mapping or
 * sequence that holds it. Leaves the cursor on the last line of the scalar.
 */
export function readLiteral(cursor: PlainCursor, parent: number, inMapping: boolean): string {
  const header = LITERAL_HEADER.exec(cursor.text.slice(cursor.at, cursor.lineEnd(cursor.at)));
  if (header === null) return leaveSubset();
  const [, before = "", chomping = "", after = ""] = header;
  const given = before + after;
  if (given.length > 1 || (given !== "" && !inMapping)) return leaveSubset();
  let indent = given === "" ? -1 : parent + Number(given);
  const lines: string[] = [];
  let line = cursor.nextLineStart(cursor.at);
  while (line < cursor.end) {
    const stop = cursor.lineEnd(line);
    const own = indentAt(cursor, line);
    const blank = line + own >= stop;
    if (!blank) {
      if (indent < 0) indent = own > parent ? own : 0;
      if (own < indent || indent === 0) break;
    }
    lines.push(indent > 0 && stop - line > indent ? cursor.text.slice(line + indent, stop) : "");
    cursor.lineStart = line;
    cursor.at = stop;
    line = cursor.nextLineStart(line);
  }
  // Where the text ends inside its last line, that line has no line break to keep.
  const broken = line >= cursor.end && cursor.text[cursor.end - 1] !== "\n";
  return chomp(lines, chomping, broken ? "" : "\n");
}

function chomp(lines: readonly string[], chomping: string, lastBreak: string): string {
  let count = lines.length;
  while (count > 0 && lines[count - 1] === "") count -= 1;
  const content = lines.slice(0, count).join("\n");
  if (chomping === "-") return content;
  if (chomping === "+") return lines.length === 0 ? "" : `${lines.join("\n")}${lastBreak}`;
  if (count === 0) return "";
  return count < lines.length ? `${content}\n` : `${content}${lastBreak}`;
}
