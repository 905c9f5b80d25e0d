// Command-line layer: the fixed text of a file: fixes applied and the result judged again, until nothing is left to do.
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import type { FileFacts } from "../../analysis/engine.ts";
import type { Snapshot } from "../../analysis/session.ts";
import type { Diagnostic, Fix } from "../../features/diagnostic.ts";
import { applyEdits, joinEdits } from "../../text/edits.ts";

export interface FixedText {
  readonly text: string;
  /** Titles of what was applied, in order. */
  readonly applied: readonly AppliedFix[];
  /** Diagnostics of the fixed text. */
  readonly left: readonly Diagnostic[];
  /** Why some fixes were not applied; null when nothing stood in the way. */
  readonly refused: string | null;
}

export interface AppliedFix {
  readonly code: DiagnosticCode;
  readonly title: string;
}

/** Rounds before a text that never comes to rest is given up. */
const ROUNDS = 20;

/**
 * Fixes a text. `codes` null: the safe fixes of every code; else the preferred fix of each diagnostic of these codes.
 * A round that would make the text unreadable is not taken.
 */
export function fixText(
  snapshot: Snapshot<Diagnostic>,
  facts: FileFacts,
  before: string,
  codes: ReadonlySet<DiagnosticCode> | null,
): FixedText {
  let text = before;
  let left = snapshot.judge(text, facts).diagnoses;
  const applied: AppliedFix[] = [];
  const seen = new Set([text]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const chosen = left.flatMap((diagnostic) => {
      const fix = chooseFix(diagnostic, codes);
      return fix === null ? [] : [{ code: diagnostic.code, fix }];
    });
    const { edits, skipped } = joinEdits(chosen.map(({ fix }) => fix.edits));
    if (edits.length === 0) return { text, applied, left, refused: null };
    const next = applyEdits(text, edits);
    const judged = snapshot.judge(next, facts).diagnoses;
    if (unreadable(judged) > unreadable(left)) {
      return { text, applied, left, refused: "a fix would leave YAML that cannot be read; nothing of it was applied" };
    }
    if (seen.has(next)) return { text, applied, left, refused: "the fixes do not come to rest" };
    seen.add(next);
    const titles = new Set<string>();
    chosen.forEach(({ code, fix }, index) => {
      // The same fix offered by two clusters' diagnostics is one change.
      const key = JSON.stringify([fix.title, fix.edits]);
      if (!skipped.includes(index) && !titles.has(key)) applied.push({ code, title: fix.title });
      titles.add(key);
    });
    text = next;
    left = judged;
  }
  return { text, applied, left, refused: "the fixes do not come to rest" };
}

/** The fix to apply for a diagnostic, or null. Silencing and leaving nodes out are decisions of a person. */
function chooseFix(diagnostic: Diagnostic, codes: ReadonlySet<DiagnosticCode> | null): Fix | null {
  if (codes === null) return diagnostic.fixes.find((fix) => fix.kind === "safe") ?? null;
  if (!codes.has(diagnostic.code)) return null;
  const offered = diagnostic.fixes.filter((fix) => fix.kind !== "silence" && fix.kind !== "exclude");
  return (
    offered.find((fix) => fix.kind === "whole-workload") ??
    offered.find((fix) => fix.preferred) ??
    offered.find((fix) => fix.kind === "safe") ??
    offered[0] ??
    null
  );
}

function unreadable(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((diagnostic) => diagnostic.code === "yaml-problem").length;
}
