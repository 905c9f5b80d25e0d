// Cluster layer, files: the objects of a YAML text, by the fast reader where it can, else by the full parser.
import { isObject, listOf, textOf } from "../../kube/decode/reading.ts";
import type { Span } from "../../text/span.ts";
import { itemsAt, shownSpan, toPlain } from "../../yaml/locate.ts";
import { isFatal, parseDocument } from "../../yaml/parse.ts";
import { readPlainDocument } from "../../yaml/plain-reader.ts";
import { type ScannedDocument, splitDocuments } from "../../yaml/scan.ts";
import { emitItem, emitValue, isListKind, type ObjectSink, type TextProblem } from "./object-sink.ts";
import { outlineYamlList } from "./yaml-list.ts";

/** Above this length (UTF-16 units) a list is read item by item: less memory, and one odd item costs only itself. */
const LARGE = 250_000;

/** Fields that no decoder reads; images and managed fields alone are most of a Node. */
const UNREAD_FIELDS: ReadonlySet<string> = new Set([
  "images",
  "fieldsV1",
  "env",
  "envFrom",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "securityContext",
]);

/** An anchor in a place where YAML may have one. */
const ANCHOR = /(?:[:\-,{[] +|^)&[\w-]/m;

/** Hands every object of the text to `sink`; a broken document costs only itself. Returns what could not be read. */
export function readYamlObjects(text: string, sink: ObjectSink): readonly TextProblem[] {
  return splitDocuments(text).flatMap((document) => readDocument(text, document, sink));
}

function readDocument(text: string, document: ScannedDocument, sink: ObjectSink): readonly TextProblem[] {
  const { span, head } = document;
  const isLarge = head === span.start && span.end - span.start > LARGE;
  return (isLarge ? readLargeList(text, span, sink) : null) ?? readWhole(text, document, sink);
}

/** Item by item; null where the document is no such list, or has anchors, which items may share. */
function readLargeList(text: string, document: Span, sink: ObjectSink): readonly TextProblem[] | null {
  if (ANCHOR.test(text.slice(document.start, document.end))) return null;
  const outline = outlineYamlList(text, document);
  const header = outline === null ? null : readPlainDocument(outline.header, 0, outline.header.length)?.value;
  if (outline === null || !isObject(header) || !isListKind({ ...header, items: [] })) return null;
  const apiVersion = textOf(header.apiVersion);
  const kind = textOf(header.kind);
  sink.list(apiVersion, kind);
  return outline.items.flatMap((item) => readItem(text, item, apiVersion, kind, sink));
}

function readItem(
  text: string,
  span: Span,
  apiVersion: string,
  listKind: string,
  sink: ObjectSink,
): readonly TextProblem[] {
  const offset = text.indexOf("-", span.start) + 2;
  const plain = readPlainDocument(text, span.start, span.end, UNREAD_FIELDS);
  if (plain !== null) {
    for (const item of listOf(plain.value)) emitItem(item, apiVersion, listKind, offset, sink);
    return [];
  }
  const parsed = parseDocument(text, { span, head: span.start });
  const fatal = parsed.problems.find(isFatal);
  if (fatal !== undefined) return [{ offset: fatal.span.start, message: `broken YAML: ${fatal.message}`, lost: span }];
  for (const item of listOf(toPlain(parsed.root))) emitItem(item, apiVersion, listKind, offset, sink);
  return [];
}

function readWhole(text: string, document: ScannedDocument, sink: ObjectSink): readonly TextProblem[] {
  const { span, head } = document;
  const plain = head === span.start ? readPlainDocument(text, span.start, span.end, UNREAD_FIELDS) : null;
  if (plain !== null) {
    emitValue(plain.value, contentStart(text, span.start), plain.itemOffsets, sink);
    return [];
  }
  const parsed = parseDocument(text, document);
  const fatal = parsed.problems.find(isFatal);
  if (fatal !== undefined) return [{ offset: fatal.span.start, message: `broken YAML: ${fatal.message}`, lost: span }];
  const itemOffsets = itemsAt(parsed.root, ["items"]).map((item) => shownSpan(item).start);
  emitValue(toPlain(parsed.root), parsed.root?.span.start ?? span.start, itemOffsets, sink);
  return [];
}

/** Offset of the first line that is neither blank nor a comment. */
function contentStart(text: string, start: number): number {
  const content = /(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*/y;
  content.lastIndex = start;
  return start + (content.exec(text)?.[0].length ?? 0);
}
