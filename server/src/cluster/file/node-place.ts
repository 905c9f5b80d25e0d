// Cluster layer, files: where a node and its taints stand in the text of a dump, for go-to-definition.
// Only the node's own lines are parsed, however large the dump is.
import type { ClusterNode } from "../../kube/node.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { Span } from "../../text/span.ts";
import { itemsAt, nodeAt, shownSpan, textAt } from "../../yaml/locate.ts";
import { parseDocument } from "../../yaml/parse.ts";
import type { YamlMapping, YamlNode } from "../../yaml/tree.ts";
import { valueEnd } from "./json-scan.ts";

/** The part of a node that finds it again. */
export type PlacedNode = Pick<ClusterNode, "name" | "place">;

/**
 * The span of a node's taint (the list's item) in the text of the file that `node.place` names.
 * null where the node came from no file, or the text no longer holds it.
 */
export function taintSpan(text: string, node: PlacedNode, taint: Pick<Taint, "key" | "value" | "effect">): Span | null {
  const wanted = formatTaint(taint);
  const item = itemsAt(findNode(text, node), ["spec", "taints"]).find(
    (candidate) => writtenTaint(candidate) === wanted,
  );
  return item === undefined ? null : shownSpan(item);
}

/** The span of a node's name in the text of its file; null where the text no longer holds it. */
export function nodeNameSpan(text: string, node: PlacedNode): Span | null {
  const name = nodeAt(findNode(text, node), ["metadata", "name"]);
  return name === null ? null : shownSpan(name);
}

function writtenTaint(item: YamlNode): string {
  const effect = textAt(item, ["effect"]);
  const value = textAt(item, ["value"]) ?? "";
  const written = `${textAt(item, ["key"]) ?? ""}${value === "" ? "" : `=${value}`}`;
  return `${written}:${effect ?? ""}`;
}

function findNode(text: string, node: PlacedNode): YamlMapping | null {
  if (node.place === null || node.place.offset >= text.length) return null;
  const span = objectSpan(text, node.place.offset);
  return findNamed(parseDocument(text, { span, head: span.start }).root, node.name);
}

/** The object itself, or the one of that name in the list that stands there. */
function findNamed(root: YamlNode | null, name: string): YamlMapping | null {
  if (root === null || root.kind === "scalar") return null;
  if (root.kind === "mapping" && textAt(root, ["kind"]) === "Node" && textAt(root, ["metadata", "name"]) === name) {
    return root;
  }
  const items = root.kind === "sequence" ? root.items : itemsAt(root, ["items"]);
  if (root.kind === "mapping" && items.length === 0) {
    // Items of a typed list need not name their kind.
    return textAt(root, ["metadata", "name"]) === name && textAt(root, ["kind"]) === null ? root : null;
  }
  for (const item of items) {
    const found = findNamed(item, name);
    if (found !== null) return found;
  }
  return null;
}

/** The lines of the object at `offset`; in block style from the start of its line, so that its `- ` is part of it. */
function objectSpan(text: string, offset: number): Span {
  if (text[offset] === "{" || text[offset] === "[") {
    const end = valueEnd(text, offset);
    return { start: offset, end: end < 0 ? documentEnd(text, offset) : end };
  }
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = documentEnd(text, offset);
  const column = offset - start;
  return { start, end: column === 0 ? end : blockEnd(text, offset, end, column) };
}

function documentEnd(text: string, offset: number): number {
  const mark = /^(?:---|\.\.\.)(?=\s|$)/gm;
  mark.lastIndex = offset;
  return mark.exec(text)?.index ?? text.length;
}

/** Offset of the first line behind `offset` that is indented less than `column`. */
function blockEnd(text: string, offset: number, end: number, column: number): number {
  let line = text.indexOf("\n", offset) + 1;
  while (line > 0 && line < end) {
    const next = text.indexOf("\n", line);
    const content = text.slice(line, next < 0 ? end : Math.min(next, end));
    const indent = content.length - content.trimStart().length;
    if (content.trim() !== "" && indent < column) return line;
    if (next < 0) break;
    line = next + 1;
  }
  return end;
}
