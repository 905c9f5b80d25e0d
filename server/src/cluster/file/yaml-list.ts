// Cluster layer, files: the items of a large YAML list as pieces of text, so that each can be read and dropped.
import type { Span } from "../../text/span.ts";

/** A list in block style taken apart. */
export interface YamlListOutline {
  /** The document without the lines of its items. */
  readonly header: string;
  /** The lines of each item, its `- ` included, in order. */
  readonly items: readonly Span[];
}

/**
 * Takes a document apart whose root is a mapping in block style with `items`; null where it is not.
 * Nothing is parsed: an item starts at a line with the first item's indentation and `- `, and in block style no line
 * inside of an item can look like that.
 */
export function outlineYamlList(text: string, document: Span): YamlListOutline | null {
  const key = /^items:[ \t]*\r?\n(?=( *)- )/gm;
  key.lastIndex = document.start;
  const found = key.exec(text);
  if (found === null || found.index >= document.end) return null;
  const start = found.index + found[0].length;
  const end = endOfItems(text, start, document.end);
  const item = new RegExp(`^${found[1] ?? ""}- `, "gm");
  item.lastIndex = start;
  const starts: number[] = [];
  for (let match = item.exec(text); match !== null && match.index < end; match = item.exec(text))
    starts.push(match.index);
  return {
    header: text.slice(document.start, found.index) + text.slice(end, document.end),
    items: starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end })),
  };
}

/** Offset of the first line that is a key of the root again. */
function endOfItems(text: string, start: number, end: number): number {
  const line = /^[^\s#-]/gm;
  line.lastIndex = start;
  const found = line.exec(text);
  return found === null || found.index > end ? end : found.index;
}
