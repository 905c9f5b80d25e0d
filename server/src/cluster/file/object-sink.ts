// Cluster layer, files: what the readers of JSON and YAML hand over, one object of the API at a time.
import { isObject, type JsonObject, listOf, objectOf, textOf } from "../../kube/decode/reading.ts";
import type { Span } from "../../text/span.ts";

/** Takes the objects of a file. */
export interface ObjectSink {
  /** An object with a kind. `offset` is where it stands in the text, in UTF-16 units. */
  object(value: JsonObject, offset: number): void;
  /** A list was read; its kind (`NodeList`) proves that the part was asked for, even if it holds nothing. */
  list(apiVersion: string, kind: string): void;
  /** A version of the API server, as `kubectl version -o json` or `/version` gives it (`v1.37.2`). */
  serverVersion(gitVersion: string): void;
}

/** Something that cannot be read, with its place. */
export interface TextProblem {
  /** UTF-16 offset. */
  readonly offset: number;
  readonly message: string;
  /** The text that was not read because of it. */
  readonly lost: Span;
}

/** Whether an object is a list of others: `List` or a typed one, with its items (`null` for none). */
export function isListKind(value: JsonObject): boolean {
  const kind = textOf(value.kind);
  return kind === "List" || (kind.endsWith("List") && "items" in value);
}

/** Lists within lists that are still followed; kubectl writes one, people join a few. */
const MAX_NESTING = 32;

/**
 * Hands over one parsed value: an object, or each item of a list.
 * @param itemOffsets offsets of the list's items; `offset` stands in for those that are missing
 * @param depth how many lists it stands in
 */
export function emitValue(
  value: unknown,
  offset: number,
  itemOffsets: readonly number[],
  sink: ObjectSink,
  depth = 0,
): void {
  if (depth > MAX_NESTING) return;
  if (Array.isArray(value)) {
    for (const item of value) emitValue(item, offset, [], sink, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (!isListKind(value)) {
    emitObject(value, offset, sink);
    return;
  }
  const apiVersion = textOf(value.apiVersion);
  const kind = textOf(value.kind);
  sink.list(apiVersion, kind);
  listOf(value.items).forEach((item, index) => {
    emitItem(item, apiVersion, kind, itemOffsets[index] ?? offset, sink, depth + 1);
  });
}

/** Hands over one item of a list. Items of typed lists may leave out what the list's kind says. */
export function emitItem(
  item: unknown,
  apiVersion: string,
  listKind: string,
  offset: number,
  sink: ObjectSink,
  depth = 0,
): void {
  if (!isObject(item)) return;
  const typed = listKind !== "List" && textOf(item.kind) === "";
  emitValue(typed ? { ...item, apiVersion, kind: listKind.slice(0, -"List".length) } : item, offset, [], sink, depth);
}

function emitObject(value: JsonObject, offset: number, sink: ObjectSink): void {
  if (textOf(value.kind) !== "") {
    sink.object(value, offset);
    return;
  }
  const version = textOf(objectOf(value.serverVersion).gitVersion) || (textOf(value.major) && textOf(value.gitVersion));
  if (version !== "") sink.serverVersion(version);
}
