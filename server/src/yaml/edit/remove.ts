// YAML layer, edits: items and keys removed or replaced. Comments stay, except on a removed line.
import type { TextEdit } from "../../text/span.ts";
import { entryAt, nodeAt } from "../locate.ts";
import type { YamlEntry, YamlMapping, YamlNode, YamlPath, YamlSequence } from "../tree.ts";
import { type PlainValue, renderFlow, renderItem } from "./render.ts";
import { styleOf } from "./style.ts";
import {
  blockEnd,
  column,
  dashOf,
  type Edits,
  type EditTarget,
  isShared,
  lineStart,
  nextLine,
  ownEnd,
  ownNode,
  ownStart,
  startsItsLine,
  writtenEntries,
} from "./target.ts";

/** Removes items of the list at a path, by index. A list that loses its last item becomes `[]`. */
export function removeItems(target: EditTarget, path: YamlPath, indices: readonly number[]): Edits {
  const sequence = ownNode(target, path);
  if (sequence === null || sequence.kind !== "sequence") return null;
  const sorted = [...new Set(indices)]
    .filter((index) => index >= 0 && index < sequence.items.length)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  if (sorted.length === sequence.items.length) return emptied(target, path, sequence, "[]");
  const edits = sorted.map((index) =>
    sequence.flow ? flowRemoval(target.text, sequence, index, sorted) : blockItemRemoval(target.text, sequence, index),
  );
  return edits.some((edit) => edit === null) ? null : mergeTouching(edits.filter((edit) => edit !== null));
}

/** Removes the item that `path` ends with. */
export function removeItem(target: EditTarget, path: YamlPath): Edits {
  const index = path.at(-1);
  return typeof index === "number" ? removeItems(target, path.slice(0, -1), [index]) : null;
}

/** Replaces the item that `path` ends with by one or more items. */
export function replaceItem(target: EditTarget, path: YamlPath, values: readonly PlainValue[]): Edits {
  const index = path.at(-1);
  const sequence = ownNode(target, path.slice(0, -1));
  if (typeof index !== "number" || sequence?.kind !== "sequence" || values.length === 0) return null;
  const item = sequence.items[index];
  if (item === undefined || isShared(target, item)) return null;
  const style = styleOf(target);
  const span = { start: ownStart(target.text, item), end: ownEnd(item) };
  if (sequence.flow || (item.kind === "mapping" && item.flow)) {
    const separator = sequence.flow ? ", " : `${style.eol}${" ".repeat(column(target.text, sequence.span.start))}- `;
    return [{ span, newText: values.map((value) => renderFlow(value, style.json)).join(separator) }];
  }
  const dash = dashOf(target.text, sequence, index);
  if (dash === null) return null;
  const indent = column(target.text, sequence.span.start);
  const gap =
    lineStart(target.text, dash) === lineStart(target.text, span.start) && item.kind === "mapping"
      ? span.start - dash
      : 2;
  const newText = values.map((value) => renderItem(value, indent, style, gap)).join(style.eol + " ".repeat(indent));
  return [{ span: { start: dash, end: span.end }, newText }];
}

/** Removes the key that `path` ends with, and its value. A mapping that loses its last key becomes `{}`. */
export function removeEntry(target: EditTarget, path: YamlPath): Edits {
  const key = path.at(-1);
  const mapping = ownNode(target, path.slice(0, -1));
  if (typeof key !== "string" || mapping?.kind !== "mapping") return null;
  const entry = entryAt(mapping, key);
  // Within an anchored text with users the entry must stay; `isShared` of the mapping has said so already.
  if (entry === null || entry.merged || (entry.value.alias === null && isShared(target, entry.value))) return null;
  const written = writtenEntries(mapping.entries);
  if (written.length === 1 && mapping.entries.length === 1) return emptied(target, path.slice(0, -1), mapping, "{}");
  const edit = mapping.flow
    ? flowEntryRemoval(target.text, mapping, entry)
    : blockEntryRemoval(target.text, written, entry);
  return edit === null ? null : [edit];
}

/** A collection without its content: `[]` or `{}` right behind the key (or dash) it belongs to. */
function emptied(target: EditTarget, path: YamlPath, node: YamlSequence | YamlMapping, empty: string): Edits {
  const { text } = target;
  if (node.flow) return [{ span: node.span, newText: empty }];
  const key = path.at(-1);
  const parent = nodeAt(target.root, path.slice(0, -1));
  if (typeof key !== "string" || parent?.kind !== "mapping")
    return [{ span: { start: node.span.start, end: ownEnd(node) }, newText: empty }];
  const entry = entryAt(parent, key);
  if (entry === null || entry.merged) return null;
  const colon = text.indexOf(":", ownEnd(entry.key)) + 1;
  const from = startsItsLine(text, node.span.start) ? lineStart(text, node.span.start) : node.span.start;
  const to = startsItsLine(text, node.span.start) ? blockEnd(text, node) : ownEnd(node);
  // The line end in front goes with the removed lines, so that the last line of a file stays as it ended.
  const end = from > 0 && text[from - 1] === "\n" ? from - (text[from - 2] === "\r" ? 2 : 1) : from;
  return [
    { span: { start: colon, end: colon }, newText: ` ${empty}` },
    { span: { start: Math.max(end, colon), end: to }, newText: "" },
  ];
}

function blockItemRemoval(text: string, sequence: YamlSequence, index: number): TextEdit | null {
  const dash = dashOf(text, sequence, index);
  const item = sequence.items[index];
  if (dash === null || item === undefined) return null;
  if (startsItsLine(text, dash)) return lineRemoval(text, lineStart(text, dash), blockEnd(text, item));
  const next = dashOf(text, sequence, index + 1);
  return next === null || text.slice(ownEnd(item), next).includes("#")
    ? null
    : { span: { start: dash, end: next }, newText: "" };
}

function blockEntryRemoval(text: string, written: readonly YamlEntry[], entry: YamlEntry): TextEdit | null {
  const start = ownStart(text, entry.key);
  const end = blockEnd(text, entry.value);
  if (startsItsLine(text, start)) return lineRemoval(text, lineStart(text, start), end);
  const next = written[written.indexOf(entry) + 1];
  if (next === undefined) return null;
  const nextStart = ownStart(text, next.key);
  return text.slice(ownEnd(entry.value), nextStart).includes("#")
    ? null
    : { span: { start, end: nextStart }, newText: "" };
}

/** Whole lines; of the last line without line end, the line end before it goes instead. */
function lineRemoval(text: string, start: number, lastLineEnd: number): TextEdit {
  const end = nextLine(text, lastLineEnd);
  if (end < text.length || text.endsWith("\n") || start === 0) return { span: { start, end }, newText: "" };
  return { span: { start: start - (text[start - 2] === "\r" ? 2 : 1), end }, newText: "" };
}

function flowRemoval(text: string, sequence: YamlSequence, index: number, removed: readonly number[]): TextEdit | null {
  const item = sequence.items[index];
  if (item === undefined) return null;
  const next = sequence.items[index + 1];
  // The last items lose the comma before them: from the end of the last item that stays.
  let kept = index - 1;
  while (kept >= 0 && removed.includes(kept)) kept--;
  const tail = next === undefined ? sequence.items[kept] : undefined;
  return flowPart(text, item, next ?? null, tail ?? null);
}

function flowEntryRemoval(text: string, mapping: YamlMapping, entry: YamlEntry): TextEdit | null {
  const written = writtenEntries(mapping.entries);
  const index = written.indexOf(entry);
  const next = written[index + 1];
  const previous = next === undefined ? written[index - 1] : undefined;
  const part = { ...entry.value, span: entry.span, alias: null };
  const start = ownStart(text, entry.key);
  return flowPart(
    text,
    { ...part, span: { start, end: ownEnd(entry.value) } },
    next?.key ?? null,
    previous?.value ?? null,
  );
}

function flowPart(text: string, item: YamlNode, next: YamlNode | null, previous: YamlNode | null): TextEdit | null {
  const start = ownStart(text, item);
  const end = ownEnd(item);
  if (next !== null) {
    const to = ownStart(text, next);
    if (!text.slice(end, to).includes("#")) return { span: { start, end: to }, newText: "" };
    const comma = text.indexOf(",", end);
    return { span: { start, end: comma + 1 }, newText: "" };
  }
  if (previous === null || text.slice(ownEnd(previous), start).includes("#")) return null;
  return { span: { start: ownEnd(previous), end }, newText: "" };
}

/** Removals of neighbours can meet or (in flow lists) cover each other. */
function mergeTouching(edits: readonly TextEdit[]): readonly TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    const last = merged.at(-1);
    if (last !== undefined && edit.span.start <= last.span.end) {
      merged[merged.length - 1] = {
        span: { start: last.span.start, end: Math.max(last.span.end, edit.span.end) },
        newText: "",
      };
    } else merged.push(edit);
  }
  return merged;
}
