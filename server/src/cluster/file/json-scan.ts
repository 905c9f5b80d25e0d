// Cluster layer, files: where the values of a JSON text start and end, without parsing them.
import type { Span } from "../../text/span.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;
const COLON = 58;
const MINUS = 45;

/** A text to scan: a string, or bytes that are too many for one. Offsets count its own units. */
export interface JsonSource {
  readonly length: number;
  charCodeAt(offset: number): number;
  indexOf(found: string, from: number): number;
  slice(start: number, end: number): string;
  startsWith(start: string, at: number): boolean;
}

/** The outline of a JSON object. */
export interface JsonOutline {
  /** Offset behind its closing brace. */
  readonly end: number;
  /** The values of its keys, `items` left out where it is an array; of a key written twice the last one. */
  readonly fields: ReadonlyMap<string, Span>;
  /** The elements of the array under `items`; null where there is none. */
  readonly items: readonly Span[] | null;
}

/** Offset of the first character at or behind `at` that is no white space. */
export function skipWhite(text: JsonSource, at: number): number {
  let offset = at;
  while (isWhite(text.charCodeAt(offset))) offset += 1;
  return offset;
}

/**
 * The outline of the object that starts at `start` (its `{`); null where brackets or commas are broken or the text
 * ends first. Values are not checked: parsing them tells.
 */
export function outlineObject(text: JsonSource, start: number): JsonOutline | null {
  const fields = new Map<string, Span>();
  let items: readonly Span[] | null = null;
  let at = skipWhite(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACE) return { end: at + 1, fields, items };
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) return null;
    const keyEnd = stringEnd(text, at);
    if (keyEnd < 0) return null;
    const key = text.slice(at + 1, keyEnd - 1);
    at = skipWhite(text, keyEnd);
    if (text.charCodeAt(at) !== COLON) return null;
    at = skipWhite(text, at + 1);
    const array: JsonArray | null =
      key === "items" && text.charCodeAt(at) === OPEN_BRACKET ? outlineArray(text, at) : null;
    const end = array === null ? valueEnd(text, at) : array.end;
    if (end < 0) return null;
    if (array === null) fields.set(key, { start: at, end });
    else items = array.elements;
    at = skipWhite(text, end);
    const next = text.charCodeAt(at);
    if (next === CLOSE_BRACE) return { end: at + 1, fields, items };
    if (next !== COMMA) return null;
    at = skipWhite(text, at + 1);
  }
}

/** The elements of an array. */
export interface JsonArray {
  /** Offset behind its closing bracket; -1 where it is broken. */
  readonly end: number;
  readonly elements: readonly Span[];
}

/** The elements of the array that starts at `start` (its `[`). */
export function outlineArray(text: JsonSource, start: number): JsonArray {
  const elements: Span[] = [];
  let at = skipWhite(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACKET) return { end: at + 1, elements };
  for (;;) {
    const end = valueEnd(text, at);
    if (end < 0) return { end: -1, elements };
    elements.push({ start: at, end });
    at = skipWhite(text, end);
    const next = text.charCodeAt(at);
    if (next === CLOSE_BRACKET) return { end: at + 1, elements };
    if (next !== COMMA) return { end: -1, elements };
    at = skipWhite(text, at + 1);
  }
}

/** Offset behind the value that starts at `start`; -1 where there is none or the text ends inside it. */
export function valueEnd(text: JsonSource, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return bracketEnd(text, start);
  if (first !== MINUS && !isWordStart(first)) return -1;
  let at = start + 1;
  while (isWordPart(text.charCodeAt(at))) at += 1;
  return at;
}

function bracketEnd(text: JsonSource, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Offset behind the closing quote of the string that opens at `start`; -1 without one. */
function stringEnd(text: JsonSource, start: number): number {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && isEscaped(text, start, close)) close = text.indexOf('"', close + 1);
  return close < 0 ? -1 : close + 1;
}

function isEscaped(text: JsonSource, start: number, quote: number): boolean {
  let at = quote;
  while (at > start + 1 && text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

function isWhite(code: number): boolean {
  // A byte order mark counts too.
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff;
}

function isWordStart(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122);
}

/** A digit, a letter, `-`, `+` or `.`. */
function isWordPart(code: number): boolean {
  return isWordStart(code) || (code >= 65 && code <= 90) || (code >= 45 && code <= 46) || code === 43;
}
