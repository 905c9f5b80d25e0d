// LSP layer: offsets become positions here and nowhere else.
import type { TextEdit as ProtocolEdit, Range } from "vscode-languageserver";
import type { LineIndex } from "../../text/line-index.ts";
import type { Span, TextEdit } from "../../text/span.ts";

/** The positions of a span of UTF-16 offsets. */
export function toRange(span: Span, lines: LineIndex): Range {
  return { start: lines.positionAt(span.start), end: lines.positionAt(span.end) };
}

/** An edit with positions; against the same text as `lines`. */
export function toEdit(edit: TextEdit, lines: LineIndex): ProtocolEdit {
  return { range: toRange(edit.span, lines), newText: edit.newText };
}

/** The span of a range; places outside of the text are taken to its nearer end. */
export function toSpan(range: Range, lines: LineIndex): Span {
  return { start: lines.offsetAt(range.start), end: lines.offsetAt(range.end) };
}
