// Features layer, fixes: many fixes of one text as one set of edits.
import type { TextEdit } from "../../text/span.ts";
import type { Diagnostic, Fix } from "../diagnostic.ts";

/** The fix that is applied without a person choosing: the safe one. */
function safeFix(diagnostic: Diagnostic): Fix | null {
  return diagnostic.fixes.find((fix) => fix.kind === "safe") ?? null;
}

/**
 * The edits of all safe fixes, in text order and without overlap: a fix of which an edit would touch an earlier one is
 * left out whole, so judging again and composing again reaches it.
 */
export function fixAll(diagnostics: readonly Diagnostic[]): readonly TextEdit[] {
  const chosen: TextEdit[] = [];
  for (const diagnostic of diagnostics) {
    const fix = safeFix(diagnostic);
    if (fix !== null && !fix.edits.some((edit) => chosen.some((other) => touches(edit, other)))) {
      chosen.push(...fix.edits);
    }
  }
  return chosen.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Two insertions at one place touch as well: which comes first would be chance. */
function touches(a: TextEdit, b: TextEdit): boolean {
  return a.span.start <= b.span.end && b.span.start <= a.span.end;
}
