// Config layer: `# taintwise-ignore: CODE[, CODE]` comments in manifests.
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Span } from "../text/span.ts";
import type { ConfigProblem } from "./shape.ts";

/** The word that a silence comment starts with. */
export const SILENCE_WORD = "taintwise-ignore";

/** Codes that are silenced where a diagnostic starts inside `span`. */
export interface Silence {
  readonly codes: readonly DiagnosticCode[];
  readonly span: Span;
}

export interface Silences {
  readonly silences: readonly Silence[];
  /** Words in such comments that are no code. */
  readonly problems: readonly ConfigProblem[];
}

const COMMENT = /#[ \t]*taintwise-ignore[ \t]*:?([^\r\n]*)/g;

/**
 * Finds the silence comments of a text. A comment in the lines before a document's first content silences the whole
 * document; one on a line of its own silences the next line with content, one behind content its own line.
 * `documents` are the documents' spans; a text after ` -- ` is a reason for people.
 */
export function readSilences(text: string, documents: readonly Span[]): Silences {
  const silences: Silence[] = [];
  const problems: ConfigProblem[] = [];
  // A text without documents has nothing to silence, and the search is what costs.
  if (documents.length === 0 || !text.includes(SILENCE_WORD)) return { silences, problems };
  for (const match of text.matchAll(COMMENT)) {
    const at = match.index;
    const words = (match[1] ?? "").split(/[ \t]--/, 1)[0] ?? "";
    const listed = words.split(/[\s,]+/).filter((word) => word !== "");
    const codes = DIAGNOSTIC_CODES.filter((code) => listed.includes(code));
    for (const word of listed.filter((entry) => !DIAGNOSTIC_CODES.some((code) => code === entry))) {
      const start = text.indexOf(word, at + SILENCE_WORD.length);
      problems.push({ message: `${word} is no diagnostic code.`, span: { start, end: start + word.length } });
    }
    if (listed.length === 0) {
      problems.push({ message: "Name the codes to silence.", span: { start: at, end: at + match[0].length } });
    }
    if (codes.length > 0) silences.push({ codes, span: reach(text, at, documents) });
  }
  return { silences, problems };
}

/** Whether a diagnostic of `code` that starts at `offset` is silenced. */
export function isSilenced(silences: readonly Silence[], code: DiagnosticCode, offset: number): boolean {
  return silences.some(({ codes, span }) => codes.includes(code) && offset >= span.start && offset <= span.end);
}

/** What a comment at `at` reaches. */
function reach(text: string, at: number, documents: readonly Span[]): Span {
  const document = documents.find((span) => at >= span.start && at < span.end);
  if (document !== undefined && isBlank(text.slice(document.start, at))) return document;
  const next = documents.find((span) => span.start >= at);
  if (document === undefined && next !== undefined && isBlank(text.slice(at, next.start))) return next;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  if (!isBlank(text.slice(lineStart, at))) return lineAt(text, lineStart);
  let line = lineAt(text, lineStart);
  do line = lineAt(text, line.end + 1);
  while (line.end < text.length && isBlank(text.slice(line.start, line.end)));
  return line;
}

function lineAt(text: string, start: number): Span {
  const end = text.indexOf("\n", start);
  return { start: Math.min(start, text.length), end: end < 0 ? text.length : end };
}

/** Only white space, comments, directives and document markers. */
function isBlank(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(#.*|---(\s.*)?|%.*|\uFEFF\s*)?$/.test(line));
}
