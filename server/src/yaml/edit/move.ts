// YAML layer, edits: an entry moved to the mapping where it belongs, and a mapping wrapped into a list.
import { entryAt, keyText, nodeAt, toPlain } from "../locate.ts";
import type { YamlPath } from "../tree.ts";
import { insertBefore, insertBehind, insertEntry } from "./insert.ts";
import { removeEntry } from "./remove.ts";
import { isPlainValue } from "./render.ts";
import { styleOf } from "./style.ts";
import {
  blockEnd,
  column,
  type Edits,
  type EditTarget,
  isShared,
  lineEnd,
  nextLine,
  ownNode,
  ownStart,
  writtenEntries,
} from "./target.ts";

/**
 * Moves the entry at `path` into the mapping at `to`, before the first of the keys `before` that is there, else to its
 * end. The entry keeps its text, comments inside it included; only its indentation changes. Null when the key is there
 * already, or a comment would be lost between block and flow style.
 */
export function moveEntry(target: EditTarget, path: YamlPath, to: YamlPath, before: readonly string[] = []): Edits {
  const key = path.at(-1);
  const from = ownNode(target, path.slice(0, -1));
  const mapping = ownNode(target, to);
  if (typeof key !== "string" || from?.kind !== "mapping" || mapping?.kind !== "mapping") return null;
  const entry = entryAt(from, key);
  if (entry === null || entry.merged || entryAt(mapping, key) !== null) return null;
  if (entry.value.alias === null && isShared(target, entry.value)) return null;
  const removal = removeEntry(target, path);
  const insertion = insertionOf(target, path, to, before);
  if (removal === null || insertion === null) return null;
  const edits = [...removal, ...insertion].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const overlap = edits.some((edit, index) => index > 0 && edit.span.start < (edits[index - 1]?.span.end ?? 0));
  return overlap ? null : edits;
}

function insertionOf(target: EditTarget, path: YamlPath, to: YamlPath, before: readonly string[]): Edits {
  const { text } = target;
  const from = nodeAt(target.root, path.slice(0, -1));
  const mapping = nodeAt(target.root, to);
  const entry = entryAt(from, String(path.at(-1)));
  if (from?.kind !== "mapping" || mapping?.kind !== "mapping" || entry === null) return null;
  const start = ownStart(text, entry.key);
  const end = from.flow ? entry.span.end : blockEnd(text, entry.value);
  if (mapping.flow || (from.flow && text.slice(start, end).includes("\n"))) {
    if (text.slice(start, end).includes("#")) return null;
    const value = toPlain(entry.value);
    return isPlainValue(value) && entry.value.alias === null
      ? insertEntry(target, to, keyText(entry.key), value, before)
      : null;
  }
  const moved = reindent(text.slice(start, end), column(text, mapping.span.start) - column(text, start));
  const written = writtenEntries(mapping.entries);
  const next = before
    .map((name) => written.find((each) => keyText(each.key) === name))
    .find((each) => each !== undefined);
  return next === undefined ? insertBehind(target, mapping, moved) : insertBefore(target, mapping, next, moved);
}

/** Shifts all lines but the first by `delta` columns; lines without that much indentation lose what they have. */
function reindent(lines: string, delta: number): string {
  if (delta === 0) return lines;
  if (delta > 0) return lines.replace(/\n(?=[^\r\n])/g, `\n${" ".repeat(delta)}`);
  return lines.replace(new RegExp(`\\n {1,${-delta}}`, "g"), "\n");
}

/** Makes the mapping at a path the only item of a list (`tolerations: {…}` → `tolerations: [{…}]`, block likewise). */
export function wrapInList(target: EditTarget, path: YamlPath): Edits {
  const node = ownNode(target, path);
  if (node === null || node.kind !== "mapping") return null;
  const { text } = target;
  const start = ownStart(text, node);
  if (node.flow) {
    return [
      { span: { start, end: start }, newText: "[" },
      { span: { start: node.span.end, end: node.span.end }, newText: "]" },
    ];
  }
  // An anchor or tag on the key's line would move to the list.
  if (start !== node.span.start || styleOf(target).json) return null;
  const edits = [{ span: { start, end: start }, newText: "- " }];
  const end = lineEnd(text, node.span.end);
  for (let at = nextLine(text, start); at <= end && at < text.length; at = nextLine(text, at)) {
    if (lineEnd(text, at) > at) edits.push({ span: { start: at, end: at }, newText: "  " });
  }
  return edits;
}
