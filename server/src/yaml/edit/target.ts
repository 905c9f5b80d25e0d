// YAML layer, edits: what an edit works on, and where texts of nodes start and end.
import type { TextEdit } from "../../text/span.ts";
import { nodeAt } from "../locate.ts";
import type { YamlDocument, YamlEntry, YamlNode, YamlPath, YamlSequence } from "../tree.ts";

/** A node of a document to start from; paths of edits lead from `root` (a workload's object, or the document's root). */
export interface EditTarget {
  /** The file's text, to which all spans refer. */
  readonly text: string;
  readonly document: YamlDocument;
  readonly root: YamlNode;
}

/**
 * Edits against the target's text, in text order and not overlapping; null where the edit cannot be made there: the path
 * leads nowhere, the text is reached through an alias or a merge key, or an alias elsewhere would change with it.
 */
export type Edits = readonly TextEdit[] | null;

/** The node at a path when it stands where it is used and no alias shares its text; null otherwise. */
export function ownNode(target: EditTarget, path: YamlPath): YamlNode | null {
  const node = nodeAt(target.root, path);
  return node === null || isShared(target, node) ? null : node;
}

/** Whether a node's text is used in more than one place: reached through an alias, or inside an anchored text with users. */
export function isShared({ document }: EditTarget, node: YamlNode): boolean {
  if (node.alias !== null) return true;
  return document.aliases.some(({ anchor }) => anchor.start <= node.span.start && node.span.end <= anchor.end);
}

/** The `*name` through which the node at a path is reached, null when it stands there itself. For placing a fix at the use. */
export function aliasAt(target: EditTarget, path: YamlPath): string | null {
  return nodeAt(target.root, path)?.alias?.name ?? null;
}

/** Where a node's text starts at its place, with anchor and tag. */
export function ownStart(text: string, node: YamlNode): number {
  if (node.alias !== null) return node.alias.use.start;
  const line = text.slice(lineStart(text, node.span.start), node.span.start);
  const properties = /(?:[&!][^\s,[\]{}]*[ \t]+)+$/.exec(line);
  return node.span.start - (properties?.[0].length ?? 0);
}

/** Where a node's text ends at its place. */
export function ownEnd(node: YamlNode): number {
  return node.alias === null ? node.span.end : node.alias.use.end;
}

/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Offset behind the last character of the line that holds `offset`, its line end not included. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

/** Offset of the line after the one that holds `offset`; the text's length when it is the last. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/** Offset's place in its line, in UTF-16 units. */
export function column(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether only blanks stand before `offset` in its line. */
export function startsItsLine(text: string, offset: number): boolean {
  return /^[ \t\uFEFF]*$/.test(text.slice(lineStart(text, offset), offset));
}

/**
 * The end of the line on which a block node's text ends, trailing comment included. Blank lines that a `|+` scalar keeps
 * belong to it.
 */
export function blockEnd(text: string, node: YamlNode): number {
  const end = lineEnd(text, ownEnd(node));
  const last = lastLeaf(node);
  if (last.kind !== "scalar" || last.alias !== null || (last.style !== "literal" && last.style !== "folded"))
    return end;
  const header = text.slice(last.span.start, lineEnd(text, last.span.start));
  if (!header.includes("+")) return end;
  let at = end;
  while (
    /^[ \t]*\r?$/.test(text.slice(nextLine(text, at), lineEnd(text, nextLine(text, at)))) &&
    nextLine(text, at) < text.length
  ) {
    at = lineEnd(text, nextLine(text, at));
  }
  return at;
}

function lastLeaf(node: YamlNode): YamlNode {
  if (node.alias !== null || node.kind === "scalar" || node.flow) return node;
  const last = node.kind === "sequence" ? node.items.at(-1) : writtenEntries(node.entries).at(-1)?.value;
  return last === undefined ? node : lastLeaf(last);
}

/** The entries that stand in the mapping's own text, in text order. */
export function writtenEntries(entries: readonly YamlEntry[]): readonly YamlEntry[] {
  return entries.filter(({ merged }) => !merged);
}

/** Offset of the `-` of a block sequence's item. */
export function dashOf(text: string, sequence: YamlSequence, index: number): number | null {
  const item = sequence.items[index];
  if (item === undefined || sequence.flow) return null;
  if (index === 0) return sequence.span.start;
  // Between the items before it and the item's own text stand only comments, blanks and its dash.
  const previous = sequence.items[index - 1];
  const from = previous === undefined ? sequence.span.start : lineEnd(text, ownEnd(previous));
  const dash = column(text, sequence.span.start);
  for (let at = nextLine(text, from); at <= ownStart(text, item); at = nextLine(text, at)) {
    if (text[at + dash] === "-" && /^ *$/.test(text.slice(at, at + dash))) return at + dash;
    if (at >= text.length) break;
  }
  return null;
}
