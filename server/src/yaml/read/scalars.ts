// YAML layer, reading: plain and quoted scalars. Each reader takes the cursor at the scalar's first character and leaves
// it behind the scalar. Source: go.yaml.in/yaml/v2 scannerc.go (scan_plain_scalar, scan_flow_scalar).
import type { ScalarStyle } from "../tree.ts";
import * as char from "./characters.ts";
import type { Cursor } from "./cursor.ts";

/** A scalar's text and place, before it is typed. */
export interface ReadScalar {
  readonly source: string;
  readonly style: ScalarStyle;
  readonly start: number;
  readonly end: number;
  /** Whether it goes over more than one line, and so cannot be a key. */
  readonly multiline: boolean;
}

/**
 * A plain scalar. Lines that follow at `indent` or deeper belong to it (inside brackets: all).
 * The cursor ends behind it, or at the next token when the scalar's line ended.
 */
export function readPlain(cursor: Cursor, indent: number, flow: boolean): ReadScalar {
  const { text } = cursor;
  const start = cursor.pos;
  let end = plainLineEnd(cursor, start, flow);
  let source = text.slice(start, end);
  let multiline = false;
  cursor.fresh = false;
  for (;;) {
    cursor.pos = end;
    const breaks = breaksAhead(cursor, indent);
    if (breaks === 0) break;
    // The cursor stands at the next line's text.
    const next = cursor.pos;
    if (next >= cursor.end || (!flow && cursor.column < indent) || cursor.code(next) === char.HASH) break;
    const lineEnd = plainLineEnd(cursor, next, flow);
    if (lineEnd === next) break;
    source += (breaks === 1 ? " " : "\n".repeat(breaks - 1)) + text.slice(next, lineEnd);
    end = lineEnd;
    multiline = true;
    cursor.fresh = false;
  }
  return { source, style: "plain", start, end, multiline };
}

/** Behind the last character of a plain scalar's text in one line; blanks at its end not included. */
function plainLineEnd(cursor: Cursor, from: number, flow: boolean): number {
  const { text, end } = cursor;
  let last = from;
  let blank = false;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === char.LF || code === char.CR) break;
    if (code === char.SPACE || code === char.TAB) {
      blank = true;
      continue;
    }
    if (code === char.COLON && cursor.blankAt(at + 1)) break;
    if (code === char.HASH && blank) break;
    if (flow && (code === char.COMMA || code === char.QUESTION || isBracket(code))) break;
    blank = false;
    last = at + 1;
  }
  return last;
}

function isBracket(code: number): boolean {
  return (
    code === char.OPEN_BRACKET || code === char.CLOSE_BRACKET || code === char.OPEN_BRACE || code === char.CLOSE_BRACE
  );
}

/** Passes blanks and line ends; the number of line ends passed. Without any, the cursor stays. */
function breaksAhead(cursor: Cursor, indent: number): number {
  const { text, end } = cursor;
  let at = cursor.pos;
  while (at < end && (text.charCodeAt(at) === char.SPACE || text.charCodeAt(at) === char.TAB)) at++;
  let breaks = 0;
  let lineStart = cursor.lineStart;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === char.LF || code === char.CR) {
      at += code === char.CR && cursor.code(at + 1) === char.LF ? 2 : 1;
      lineStart = at;
      breaks++;
    } else if (code === char.TAB && breaks > 0 && at - lineStart < indent) {
      cursor.refuse("a tab stands where only blanks may indent", at);
    } else if ((code === char.SPACE || code === char.TAB) && breaks > 0) at++;
    else break;
  }
  if (breaks > 0) {
    cursor.pos = at;
    cursor.lineStart = lineStart;
    cursor.fresh = true;
  }
  return breaks;
}

/** A scalar in single or double quotes. */
export function readQuoted(cursor: Cursor): ReadScalar {
  const { text, end } = cursor;
  const start = cursor.pos;
  const quote = text.charCodeAt(start);
  const style: ScalarStyle = quote === char.SINGLE_QUOTE ? "single" : "double";
  // Most have neither escapes nor line ends.
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (quote === char.SINGLE_QUOTE && cursor.code(at + 1) === char.SINGLE_QUOTE) break;
      cursor.pos = at + 1;
      cursor.fresh = false;
      return { source: text.slice(start + 1, at), style, start, end: at + 1, multiline: false };
    }
    if (code === char.LF || code === char.CR || (code === char.BACKSLASH && quote === char.DOUBLE_QUOTE)) break;
  }
  return readQuotedSlowly(cursor, start, quote, style);
}

function readQuotedSlowly(cursor: Cursor, start: number, quote: number, style: ScalarStyle): ReadScalar {
  const { text, end } = cursor;
  let source = "";
  let at = start + 1;
  let multiline = false;
  for (;;) {
    if (at >= end) cursor.refuse(`the quote is not closed: no ${String.fromCharCode(quote)} follows`, start);
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (quote === char.DOUBLE_QUOTE || cursor.code(at + 1) !== char.SINGLE_QUOTE) break;
      source += "'";
      at += 2;
    } else if (code === char.BACKSLASH && quote === char.DOUBLE_QUOTE) {
      const next = cursor.code(at + 1);
      if (next === char.LF || next === char.CR) {
        // An escaped line end joins the lines without a blank, but keeps the empty lines behind it.
        const folded = foldLines(cursor, at + 1);
        source += "\n".repeat(folded.breaks - 1);
        at = folded.at;
        multiline = true;
      } else {
        const escaped = readEscape(cursor, at);
        source += escaped.text;
        at = escaped.at;
      }
    } else if (code === char.SPACE || code === char.TAB) {
      const blanks = at;
      while (cursor.code(at) === char.SPACE || cursor.code(at) === char.TAB) at++;
      // Blanks before a line end vanish with it.
      if (cursor.code(at) !== char.LF && cursor.code(at) !== char.CR) source += text.slice(blanks, at);
    } else if (code === char.LF || code === char.CR) {
      const folded = foldLines(cursor, at);
      source += folded.breaks === 1 ? " " : "\n".repeat(folded.breaks - 1);
      at = folded.at;
      multiline = true;
    } else {
      const from = at;
      do at++;
      while (at < end && !isSpecialInQuotes(text.charCodeAt(at)));
      source += text.slice(from, at);
    }
  }
  cursor.pos = at + 1;
  cursor.fresh = false;
  return { source, style, start, end: at + 1, multiline };
}

function isSpecialInQuotes(code: number): boolean {
  return code <= char.SINGLE_QUOTE
    ? code === char.SPACE ||
        code === char.LF ||
        code === char.CR ||
        code === char.TAB ||
        code === char.SINGLE_QUOTE ||
        code === char.DOUBLE_QUOTE
    : code === char.BACKSLASH;
}

function foldLines(cursor: Cursor, from: number): { readonly at: number; readonly breaks: number } {
  let at = from;
  let breaks = 0;
  for (;;) {
    const code = cursor.code(at);
    if (code === char.LF || code === char.CR) {
      at += code === char.CR && cursor.code(at + 1) === char.LF ? 2 : 1;
      cursor.lineStart = at;
      breaks++;
    } else if (code === char.SPACE || code === char.TAB) at++;
    else return { at, breaks };
  }
}

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
  "'": "'",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function readEscape(cursor: Cursor, at: number): { readonly text: string; readonly at: number } {
  const name = cursor.text.charAt(at + 1);
  const simple = ESCAPES[name] ?? (cursor.json && name === "/" ? "/" : undefined);
  if (simple !== undefined) return { text: simple, at: at + 2 };
  const length = name === "x" ? 2 : name === "u" ? 4 : name === "U" ? 8 : 0;
  if (length === 0) cursor.refuse(`\\${name} is no escape that Kubernetes knows`, at);
  const digits = cursor.text.slice(at + 2, at + 2 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    cursor.refuse(`\\${name} needs ${length} hexadecimal digits`, at);
  const value = Number.parseInt(digits, 16);
  const surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value > 0x10ffff || (surrogate && !cursor.json)) cursor.refuse(`\\${name}${digits} is no character`, at);
  return { text: surrogate ? String.fromCharCode(value) : String.fromCodePoint(value), at: at + 2 + length };
}
