// Text layer: lists of edits, checked, applied, joined and composed.
import type { Span, TextEdit } from "./span.ts";

/**
 * Edits in text order; edits at one place keep the order given.
 * @returns null when two of them overlap or one lies outside a text of `length` UTF-16 units
 */
export function orderEdits(edits: readonly TextEdit[], length = Number.POSITIVE_INFINITY): readonly TextEdit[] | null {
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.span.start - b.edit.span.start || a.edit.span.end - b.edit.span.end || a.index - b.index)
    .map(({ edit }) => edit);
  let end = 0;
  for (const { span } of ordered) {
    if (span.start < end || span.end < span.start || span.end > length) return null;
    end = span.end;
  }
  return ordered;
}

/**
 * The text after all edits, whose spans are those of `text`.
 * @throws RangeError when edits overlap or lie outside: a fault of the caller, never of the user's text
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = orderEdits(edits, text.length);
  if (ordered === null) throw new RangeError("edits overlap or lie outside the text");
  let result = "";
  let at = 0;
  for (const { span, newText } of ordered) {
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}

/** Groups of edits (fixes) against one text, joined as far as they do not disturb each other. */
export interface JoinedEdits {
  /** In text order, not overlapping, no edit twice. */
  readonly edits: readonly TextEdit[];
  /** Indices of the groups left out because they overlap an earlier group. */
  readonly skipped: readonly number[];
}

/** Joins groups in the order given: a group goes in whole or not at all; an edit that is there already counts as in. */
export function joinEdits(groups: readonly (readonly TextEdit[])[]): JoinedEdits {
  const edits: TextEdit[] = [];
  const skipped: number[] = [];
  groups.forEach((group, index) => {
    const fresh = group.filter((edit) => !edits.some((other) => sameEdit(edit, other)));
    if (orderEdits(group) === null || fresh.some((edit) => edits.some((other) => collide(edit.span, other.span)))) {
      skipped.push(index);
    } else {
      edits.push(...fresh);
    }
  });
  return { edits: orderEdits(edits) ?? [], skipped };
}

function sameEdit(a: TextEdit, b: TextEdit): boolean {
  return a.span.start === b.span.start && a.span.end === b.span.end && a.newText === b.newText;
}

/** Overlap, or two insertions at one place, whose order would be arbitrary. */
function collide(a: Span, b: Span): boolean {
  if (a.start === b.start && a.end === b.end) return true;
  return a.start < b.end && b.start < a.end;
}
