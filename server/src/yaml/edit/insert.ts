// YAML layer, edits: items appended to lists and keys inserted into mappings, in the style of what stands there.
import type { Span } from "../../text/span.ts";
import { entryAt, keyText, nodeAt } from "../locate.ts";
import type { YamlEntry, YamlMapping, YamlNode, YamlPath, YamlSequence } from "../tree.ts";
import { type PlainValue, renderEntry, renderFlow, renderFlowLines, renderItem, renderScalar } from "./render.ts";
import { inFlow } from "./scalar.ts";
import { dashOffsetIn, type Style, styleOf } from "./style.ts";
import {
  blockEnd,
  column,
  dashOf,
  type Edits,
  type EditTarget,
  isShared,
  lineEnd,
  lineStart,
  ownEnd,
  ownNode,
  ownStart,
  startsItsLine,
  writtenEntries,
} from "./target.ts";

/**
 * Appends items to the list at a path. Where the value is null or `[]` the list is begun; where the key is missing it is
 * inserted into the mapping above, before the first of the keys `before` that is there.
 */
export function appendItems(
  target: EditTarget,
  path: YamlPath,
  values: readonly PlainValue[],
  before: readonly string[] = [],
): Edits {
  const key = path.at(-1);
  const present = nodeAt(target.root, path);
  if (present === null)
    return typeof key === "string" ? insertEntry(target, path.slice(0, -1), key, values, before) : null;
  const node = ownNode(target, path);
  if (node === null || values.length === 0) return null;
  if (node.kind === "sequence" && node.items.length > 0) {
    return node.flow ? appendToFlow(target, node, values) : appendToBlock(target, node, values);
  }
  const empty = node.kind === "sequence" || (node.kind === "scalar" && node.value.type === "null");
  return empty ? beginValue(target, path, node, values) : null;
}

/**
 * Inserts a key into the mapping at a path: before the first of the keys `before` that is there, else at its end. A
 * mapping that is null or `{}` is begun. Null when the key is there already.
 */
export function insertEntry(
  target: EditTarget,
  path: YamlPath,
  key: string,
  value: PlainValue,
  before: readonly string[] = [],
): Edits {
  const node = ownNode(target, path);
  if (node === null) {
    const parent = path.at(-1);
    if (nodeAt(target.root, path) !== null || typeof parent !== "string") return null;
    return insertEntry(target, path.slice(0, -1), parent, { [key]: value });
  }
  if (node.kind === "scalar")
    return node.value.type === "null" ? beginValue(target, path, node, { [key]: value }) : null;
  if (node.kind !== "mapping" || entryAt(node, key) !== null) return null;
  const written = writtenEntries(node.entries);
  const next = before
    .map((name) => written.find((entry) => keyText(entry.key) === name))
    .find((entry) => entry !== undefined);
  if (node.flow) return insertIntoFlow(target, node, key, value, next ?? null);
  return next === undefined
    ? insertAtEnd(target, node, key, value)
    : insertBefore(target, node, next, renderInto(target, node, key, value));
}

/** An entry rendered for a block mapping, first line without indentation. */
function renderInto(target: EditTarget, mapping: YamlMapping, key: string, value: PlainValue): string {
  const style = styleOf(target);
  const at = column(target.text, mapping.span.start);
  return renderEntry(key, value, at, style, dashOffsetIn(target.text, mapping, style));
}

/** Puts a block entry's text (its own lines, the first not indented) before `next`, above the comments that belong to it. */
export function insertBefore(target: EditTarget, mapping: YamlMapping, next: YamlEntry, entryText: string): Edits {
  const { text } = target;
  const { eol } = styleOf(target);
  const start = ownStart(text, next.key);
  const indent = " ".repeat(column(text, mapping.span.start));
  // In `- name: x` the key shares its line with the dash.
  if (!startsItsLine(text, start)) return [{ span: { start, end: start }, newText: entryText + eol + indent }];
  const at = commentsAbove(text, lineStart(text, start), indent.length);
  const bom = text.startsWith("\uFEFF") && at === 0 ? 1 : 0;
  return [{ span: { start: at + bom, end: at + bom }, newText: indent + entryText + eol }];
}

/** Puts a block entry's text behind the mapping's last entry. */
export function insertBehind(target: EditTarget, mapping: YamlMapping, entryText: string): Edits {
  const last = lastEntry(mapping);
  const { eol } = styleOf(target);
  const at = last === null ? lineEnd(target.text, mapping.span.end) : blockEnd(target.text, last.value);
  return [
    { span: { start: at, end: at }, newText: eol + " ".repeat(column(target.text, mapping.span.start)) + entryText },
  ];
}

function insertAtEnd(target: EditTarget, mapping: YamlMapping, key: string, value: PlainValue): Edits {
  return insertBehind(target, mapping, renderInto(target, mapping, key, value));
}

/** A merge key (`<<: *x`) is the last entry's text when it stands last; its place is that of the alias. */
function lastEntry(mapping: YamlMapping): YamlEntry | null {
  const ends = mapping.entries.map((entry) => ({ entry, end: ownEnd(entry.value) }));
  return (
    ends.reduce<{ entry: YamlEntry; end: number } | null>(
      (last, each) => (last === null || each.end > last.end ? each : last),
      null,
    )?.entry ?? null
  );
}

/** Start of the comment lines right above a line that stand at its column or deeper. */
function commentsAbove(text: string, line: number, indent: number): number {
  let at = line;
  while (at > 0) {
    const above = lineStart(text, at - 1);
    const blank = /^[ \t]*/.exec(text.slice(above, at))?.[0].length ?? 0;
    if (text[above + blank] !== "#" || blank < indent) return at;
    at = above;
  }
  return at;
}

function appendToBlock(target: EditTarget, sequence: YamlSequence, values: readonly PlainValue[]): Edits {
  const { text } = target;
  const style = styleOf(target);
  const last = sequence.items.at(-1);
  if (last === undefined) return null;
  const indent = column(text, sequence.span.start);
  const at = blockEnd(text, last);
  const dash = dashOf(text, sequence, sequence.items.length - 1);
  const flow = last.alias === null && last.kind !== "scalar" && last.flow;
  const gap =
    dash === null || flow || last.kind === "scalar" || lineStart(text, dash) !== lineStart(text, ownStart(text, last))
      ? 2
      : last.span.start - dash;
  const render = (value: PlainValue): string =>
    flow && typeof value === "object" && value !== null
      ? `- ${renderFlow(value, style.json)}`
      : renderItem(value, indent, style, gap);
  const newText = values.map((value) => style.eol + " ".repeat(indent) + render(value)).join("");
  return [{ span: { start: at, end: at }, newText }];
}

function appendToFlow(target: EditTarget, sequence: YamlSequence, values: readonly PlainValue[]): Edits {
  const { text } = target;
  const style = styleOf(target);
  const last = sequence.items.at(-1);
  if (last === undefined) return null;
  const end = ownEnd(last);
  const comma = trailingComma(text, end, sequence.span.end);
  const at = comma ?? end;
  const rendered = values.map((value) => flowItem(target, last, value, style));
  const joined = rendered
    .map(({ gap, value }, index) => (index === 0 && comma !== null ? gap + value : `,${gap}${value}`))
    .join("");
  return [{ span: { start: at, end: at }, newText: comma === null ? joined : `${joined},` }];
}

/** One more item beside `sibling`: on a line of its own when that one has one, spread over lines when that one is. */
function flowItem(
  target: EditTarget,
  sibling: YamlNode,
  value: PlainValue,
  style: Style,
): { gap: string; value: string } {
  const { text } = target;
  const start = ownStart(text, sibling);
  if (!startsItsLine(text, start)) return { gap: " ", value: renderFlow(value, style.json) };
  const indent = text.slice(lineStart(text, start), start);
  const spread =
    sibling.alias === null &&
    sibling.kind !== "scalar" &&
    text.slice(sibling.span.start, sibling.span.end).includes("\n");
  const rendered = spread ? renderFlowLines(value, indent.length, style) : renderFlow(value, style.json);
  return { gap: style.eol + indent, value: rendered };
}

function insertIntoFlow(
  target: EditTarget,
  mapping: YamlMapping,
  key: string,
  value: PlainValue,
  next: YamlEntry | null,
): Edits {
  const { text } = target;
  const style = styleOf(target);
  const json =
    style.json || (mapping.entries.length > 0 && mapping.entries.every((entry) => entry.key.style === "double"));
  const first = mapping.entries[0];
  const name = renderScalar(key, true, json);
  if (first === undefined) {
    const inside = mapping.span.start + 1;
    return [{ span: { start: inside, end: mapping.span.end - 1 }, newText: `${name}: ${renderFlow(value, json)}` }];
  }
  const anchor = next ?? first;
  const start = ownStart(text, anchor.key);
  const ownLine = startsItsLine(text, start);
  const indent = text.slice(lineStart(text, start), start);
  const entry = `${name}: ${ownLine ? renderFlowLines(value, indent.length, { ...style, json }) : renderFlow(value, json)}`;
  const gap = ownLine ? style.eol + indent : " ";
  if (next !== null) return [{ span: { start, end: start }, newText: `${entry},${gap}` }];
  const last = lastEntry(mapping);
  const end = last === null ? mapping.span.start + 1 : ownEnd(last.value);
  const comma = trailingComma(text, end, mapping.span.end);
  const at = comma ?? end;
  return [{ span: { start: at, end: at }, newText: comma === null ? `,${gap}${entry}` : `${gap}${entry},` }];
}

/** Offset behind the comma that follows the last item, null when there is none before the closing bracket. */
function trailingComma(text: string, from: number, close: number): number | null {
  const match = /^(?:\s|#[^\n]*\n)*,/.exec(text.slice(from, close));
  return match === null ? null : from + match[0].length;
}

/** Gives a value to a key that has none yet, or an empty list or mapping. */
function beginValue(target: EditTarget, path: YamlPath, node: YamlNode, value: PlainValue): Edits {
  return placeValue(target, path, node.span, value);
}

/**
 * Puts a value where a key's present one stands: in block style where the surroundings are. The comment behind the
 * present one stays on its line.
 * @param present the text to replace, on one line; empty where the key has no value
 */
export function placeValue(target: EditTarget, path: YamlPath, present: Span, value: PlainValue): Edits {
  const { text } = target;
  const style = styleOf(target);
  const key = path.at(-1);
  const parent = nodeAt(target.root, path.slice(0, -1));
  if (typeof key !== "string" || parent?.kind !== "mapping" || isShared(target, parent)) return null;
  const entry = entryAt(parent, key);
  if (entry === null || entry.merged) return null;
  if (inFlow(target, path)) {
    const gap = present.start === present.end ? " " : "";
    return [{ span: present, newText: gap + renderFlow(value, style.json) }];
  }
  const at = column(text, ownStart(text, entry.key));
  // An anchor or tag of the empty value ends up at the end of the key's line, which is where YAML wants it.
  const block = renderEntry("k", value, at, style, dashOffsetIn(text, parent, style)).slice("k:".length);
  const end = lineEnd(text, present.end);
  if (present.start === present.end) return [{ span: { start: end, end }, newText: block }];
  const start = text[present.start - 1] === " " ? present.start - 1 : present.start;
  if (present.end === end) return [{ span: { start, end }, newText: block }];
  return [
    { span: { start, end: present.end }, newText: "" },
    { span: { start: end, end }, newText: block },
  ];
}
