// Report layer: the line a problem stands on, with a line of carets under it.
import { printable } from "./printable.ts";
import type { Range } from "./problem.ts";
import { widthOf } from "./text-layout.ts";

export interface Excerpt {
  /** Number of the line, 1-based, as people count. */
  readonly number: string;
  readonly line: string;
  readonly carets: string;
}

/** Columns an excerpt may take; longer lines are cut around the place. */
const WIDEST = 120;
/** Columns of context kept before the place in a line that is cut. */
const BEFORE = 40;

/** In: a line without its end, and the range that starts on it. Tabs keep the carets in place. */
export function excerptOf(line: string, range: Range): Excerpt {
  const start = Math.min(range.start.character, line.length);
  const end = range.end.line === range.start.line ? Math.min(range.end.character, line.length) : line.length;
  const from = line.length <= WIDEST ? 0 : Math.max(0, start - BEFORE);
  const to = Math.min(line.length, from + WIDEST);
  const lead = `${from > 0 ? "…" : ""}${line.slice(from, start)}`;
  const marked = printable(line.slice(start, Math.min(end, to)));
  return {
    number: String(range.start.line + 1),
    line: `${printable(lead)}${printable(line.slice(start, to))}${to < line.length ? "…" : ""}`,
    carets: `${printable(lead).replace(/[^\t]/gu, " ")}${"^".repeat(Math.max(1, widthOf(marked)))}`,
  };
}
