// Text layer: from UTF-16 offsets to lines and back, with line ends as editors count them (LF, CRLF, CR).
import type { Position } from "./span.ts";

/** Where the lines of one text start; made by `lineIndex`. */
export interface LineIndex {
  readonly lineCount: number;
  /** Offset of a line's first character; the text's length for lines behind the last. */
  lineStart(line: number): number;
  /** Offset behind a line's last character, line end not included. */
  lineEnd(line: number): number;
  /** The place of an offset; offsets outside the text are taken to its nearer end. */
  positionAt(offset: number): Position;
  /** The offset of a place; characters behind a line's end are taken to its end, lines behind the last to the text's end. */
  offsetAt(position: Position): number;
}

const LF = 10;
const CR = 13;

/** Indexes a text once; each question then costs O(log lines). */
export function lineIndex(text: string): LineIndex {
  const starts = lineStarts(text);
  const length = text.length;
  const lineStart = (line: number): number => (line < 0 ? 0 : (starts[line] ?? length));
  const lineEnd = (line: number): number => {
    let end = lineStart(line + 1);
    const start = lineStart(line);
    if (line + 1 >= starts.length) return end;
    if (end > start && text.charCodeAt(end - 1) === LF) end--;
    if (end > start && text.charCodeAt(end - 1) === CR) end--;
    return end;
  };
  return {
    lineCount: starts.length,
    lineStart,
    lineEnd,
    positionAt(offset) {
      const place = Math.min(Math.max(offset, 0), length);
      const line = lastAtOrBefore(starts, place);
      return { line, character: place - lineStart(line) };
    },
    offsetAt({ line, character }) {
      if (line >= starts.length) return length;
      return Math.min(lineStart(line) + Math.max(character, 0), lineEnd(line));
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (!text.includes("\r")) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
  return starts;
}

/** Index of the last start that is not behind `offset`. */
function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
