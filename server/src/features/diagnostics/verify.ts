// Features layer: fixes tried out before they are offered. Most are sound by construction; a correction of something
// that Kubernetes did not read at all brings text into force that no rule has judged yet.
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { readManifest } from "../../workload/read.ts";
import type { Diagnostic, Fix } from "../diagnostic.ts";
import { withLateFixes } from "../late-fixes.ts";
import type { DocumentContext } from "./rule.ts";

/** Codes whose fixes bring new text into force. */
const UNJUDGED: ReadonlySet<DiagnosticCode> = new Set([
  "toleration-invalid",
  "toleration-misplaced",
  "toleration-value-type",
  "toleration-unmatched",
  "selector-unmatched",
]);

/** Judges one workload of a document; given by the framework. */
export type JudgeWorkload = (item: ManifestWorkload, context: DocumentContext) => readonly Diagnostic[];

/**
 * The diagnostics with those fixes only that remove theirs and bring no other. With `all` every fix is tried out, also
 * those that are sound by construction.
 */
export function withSoundFixes(
  diagnostics: readonly Diagnostic[],
  item: ManifestWorkload,
  context: DocumentContext,
  judge: JudgeWorkload,
  all: boolean,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    if (!all && !UNJUDGED.has(diagnostic.code)) return diagnostic;
    return withLateFixes(diagnostic, () =>
      diagnostic.fixes.filter((fix) => isSound(fix, diagnostic, diagnostics, item, context, judge)),
    );
  });
}

function isSound(
  fix: Fix,
  diagnostic: Diagnostic,
  before: readonly Diagnostic[],
  item: ManifestWorkload,
  context: DocumentContext,
  judge: JudgeWorkload,
): boolean {
  const file = readManifest(applied(context, fix), { path: context.path });
  const [document] = file.documents;
  const place = context.document.workloads.indexOf(item);
  const after = document?.workloads[place];
  if (document === undefined || after === undefined) return false;
  const now = judge(after, { ...context, file, document });
  const fresh = now.some((entry) => !before.some((other) => other.code === entry.code));
  return !fresh && saying(diagnostic, now) < saying(diagnostic, before);
}

/** How many diagnostics say what this one says: of its code, and of all of its taints; a fix for one taint leaves the rest. */
function saying({ code, taints }: Diagnostic, diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((other) => other.code === code && taints.every((taint) => other.taints.includes(taint)))
    .length;
}

/** The document's text after the fix. */
function applied({ file, document }: DocumentContext, { edits }: Fix): string {
  const { start, end } = document.yaml.span;
  let text = "";
  let at = start;
  for (const { span, newText } of edits) {
    text += file.text.slice(at, span.start) + newText;
    at = span.end;
  }
  return text + file.text.slice(at, end);
}
