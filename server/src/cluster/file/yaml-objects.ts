// Cluster layer, files: the objects of a YAML text, by the fast reader where it can, else by the full parser.
import { itemsAt, shownSpan, toPlain } from "../../yaml/locate.ts";
import { isFatal, parseDocument } from "../../yaml/parse.ts";
import { readPlainDocument } from "../../yaml/plain-reader.ts";
import { type ScannedDocument, splitDocuments } from "../../yaml/scan.ts";
import { emitValue, type ObjectSink, type TextProblem } from "./object-sink.ts";

/** Hands every object of the text to `sink`; a broken document costs only itself. Returns what could not be read. */
export function readYamlObjects(text: string, sink: ObjectSink): readonly TextProblem[] {
  return splitDocuments(text).flatMap((document) => readDocument(text, document, sink));
}

function readDocument(text: string, document: ScannedDocument, sink: ObjectSink): readonly TextProblem[] {
  const { span, head } = document;
  const plain = head === span.start ? readPlainDocument(text, span.start, span.end) : null;
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
