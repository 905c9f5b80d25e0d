// Report layer: a diagnostic with positions instead of offsets; made once, while the file's text is at hand.
import type { Diagnostic, Fix, FixKind } from "../features/diagnostic.ts";
import { type LineIndex, lineIndex } from "../text/line-index.ts";
import type { Position, Span } from "../text/span.ts";

/** A range of 0-based UTF-16 positions, end exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface RangedEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface RangedFix {
  readonly title: string;
  readonly kind: FixKind;
  readonly preferred: boolean;
  readonly edits: readonly RangedEdit[];
}

/** One diagnostic of one file, independent of the file's text. */
export interface Problem {
  /** As the file was named, with `/`. */
  readonly path: string;
  readonly range: Range;
  readonly diagnostic: Diagnostic;
  /** The line that the range starts on, without its end. */
  readonly line: string;
  readonly fixes: readonly RangedFix[];
}

/** The diagnostics of one file as problems in text order. In: the text they were found in. */
export function problemsOf(path: string, text: string, diagnostics: readonly Diagnostic[]): readonly Problem[] {
  if (diagnostics.length === 0) return [];
  const index = lineIndex(text);
  return [...diagnostics]
    .sort((left, right) => left.span.start - right.span.start || left.span.end - right.span.end)
    .map((diagnostic) => {
      const range = rangeOf(index, diagnostic.span);
      const line = range.start.line;
      return {
        path,
        range,
        diagnostic,
        line: text.slice(index.lineStart(line), index.lineEnd(line)),
        fixes: diagnostic.fixes.map((fix) => rangedFix(index, fix)),
      };
    });
}

/** `path:line:column`, both from 1, as compilers write it and terminals link it. */
export function problemPlace({ path, range }: Problem): string {
  return `${path}:${range.start.line + 1}:${range.start.character + 1}`;
}

function rangeOf(index: LineIndex, span: Span): Range {
  return { start: index.positionAt(span.start), end: index.positionAt(span.end) };
}

function rangedFix(index: LineIndex, fix: Fix): RangedFix {
  return {
    title: fix.title,
    kind: fix.kind,
    preferred: fix.preferred,
    edits: fix.edits.map((edit) => ({ range: rangeOf(index, edit.span), newText: edit.newText })),
  };
}
