// YAML layer, edits: small plain values as YAML text, block or flow.
import { typePlain } from "../scalar.ts";
import type { ScalarStyle } from "../tree.ts";
import type { Style } from "./style.ts";

/** A value to write; keys in the order given. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** A scalar on one line; texts get quotes only where they would be read as something else without. */
export function renderScalar(value: string | number | boolean | null, flow: boolean, json: boolean): string {
  if (typeof value !== "string") return String(value);
  return !json && isPlainSafe(value, flow) ? value : doubleQuoted(value);
}

/** A text in the quotes that the replaced scalar had; plain and block scalars become plain, or quoted where they must. */
export function renderText(value: string, style: ScalarStyle, flow: boolean): string {
  // Single quotes know no escapes: line breaks and control characters need double ones.
  if (style === "single" && !/[\p{Cc}\u2028\u2029]/u.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (style === "double" || style === "single") return doubleQuoted(value);
  return renderScalar(value, flow, false);
}

/** `{a: b, c: [d]}`; in JSON style with quotes. */
export function renderFlow(value: PlainValue, json: boolean): string {
  if (isList(value)) return `[${value.map((item) => renderFlow(item, json)).join(", ")}]`;
  if (!isMap(value)) return renderScalar(value, true, json);
  const entries = Object.entries(value).map(
    ([key, item]) => `${renderScalar(key, true, json)}: ${renderFlow(item, json)}`,
  );
  return `{${entries.join(", ")}}`;
}

/** Flow style over several lines, as JSON is usually printed; `indent` is the column of the opening bracket's line. */
export function renderFlowLines(value: PlainValue, indent: number, style: Style): string {
  const inner = " ".repeat(indent + style.indent);
  const close = style.eol + " ".repeat(indent);
  const next = indent + style.indent;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    const items = value.map((item) => style.eol + inner + renderFlowLines(item, next, style));
    return `[${items.join(",")}${close}]`;
  }
  if (!isMap(value)) return renderScalar(value, true, style.json);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const lines = entries.map(
    ([key, item]) =>
      `${style.eol}${inner}${renderScalar(key, true, style.json)}: ${renderFlowLines(item, next, style)}`,
  );
  return `{${lines.join(",")}${close}}`;
}

/** `key: value` in block style; the first line is not indented, the others stand at `indent` and deeper. */
export function renderEntry(
  key: string,
  value: PlainValue,
  indent: number,
  style: Style,
  dashOffset = style.dashOffset,
): string {
  const name = `${renderScalar(key, false, false)}:`;
  if (isList(value) && value.length > 0) {
    const at = indent + dashOffset;
    return name + value.map((item) => style.eol + " ".repeat(at) + renderItem(item, at, style)).join("");
  }
  if (isMap(value) && Object.keys(value).length > 0) {
    const at = indent + style.indent;
    return name + style.eol + " ".repeat(at) + renderEntries(value, at, style);
  }
  return `${name} ${isList(value) ? "[]" : isMap(value) ? "{}" : renderScalar(value, false, false)}`;
}

/** `- …` in block style, dash at column `indent`; `gap` is the width of dash and blanks before the item's text. */
export function renderItem(value: PlainValue, indent: number, style: Style, gap = 2): string {
  const dash = "-".padEnd(gap, " ");
  if (isMap(value) && Object.keys(value).length > 0) return dash + renderEntries(value, indent + gap, style);
  if (isList(value) && value.length > 0) {
    const at = indent + gap;
    return dash + value.map((item) => renderItem(item, at, style)).join(style.eol + " ".repeat(at));
  }
  return dash + (isList(value) ? "[]" : isMap(value) ? "{}" : renderScalar(value, false, false));
}

function renderEntries(value: { readonly [key: string]: PlainValue }, indent: number, style: Style): string {
  return Object.entries(value)
    .map(([key, item]) => renderEntry(key, item, indent, style))
    .join(style.eol + " ".repeat(indent));
}

/** Whether a value of unknown origin can be rendered. */
export function isPlainValue(value: unknown): value is PlainValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return true;
  return typeof value === "object" && Object.values(value).every(isPlainValue);
}

function isList(value: PlainValue): value is readonly PlainValue[] {
  return Array.isArray(value);
}

function isMap(value: PlainValue): value is { readonly [key: string]: PlainValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text stays the same text without quotes. */
function isPlainSafe(text: string, flow: boolean): boolean {
  if (typePlain(text).type !== "string" || text === "<<" || text === "=") return false;
  if (/^[\s\-?:,[\]{}#&*!|>'"%@`]|[\s:]$|: |\s#|[\p{Cc}\u2028\u2029\uFEFF]/u.test(text)) return false;
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  return !flow || !/[,?[\]{}]|:(?=[,[\]{}"'])/.test(text);
}

/** A text in double quotes with the escapes that YAML and JSON share. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
