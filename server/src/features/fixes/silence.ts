// Features layer, fixes: a diagnostic silenced where it stands, or declared as expected.
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import { addExpected, type ExpectedEntry } from "../../config/add-expected.ts";
import { SILENCE_WORD } from "../../config/silence.ts";
import { WORKSPACE_FILE } from "../../config/workspace.ts";
import { formatRef } from "../../kube/workload.ts";
import type { TextEdit } from "../../text/span.ts";
import type { Diagnostic, Fix } from "../diagnostic.ts";
import { fill } from "../fill.ts";

export const messages = {
  here: "Silence {code} here",
  document: "Silence {code} in this document",
  expected: "Mark as expected in {file}",
} as const;

/** Edits of the workspace file, for a fix that the caller applies there. */
export interface WorkspaceFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A comment above the line at `offset` that silences `code` there; null in JSON, which has no comments. */
export function silenceFix(text: string, offset: number, code: DiagnosticCode): Fix | null {
  if (isJson(text)) return null;
  return {
    title: fill(messages.here, { code }),
    kind: "silence",
    preferred: false,
    edits: [commentAbove(text, offset, code)],
  };
}

/** A comment in the head of the document whose first content starts at `offset`, for all of it; null in JSON. */
export function silenceDocumentFix(text: string, offset: number, code: DiagnosticCode): Fix | null {
  const fix = silenceFix(text, offset, code);
  return fix === null ? null : { ...fix, title: fill(messages.document, { code }) };
}

function isJson(text: string): boolean {
  return /^\s*[{[]\s*"/.test(text);
}

/** A comment line with the indentation of the line that it stands above. */
function commentAbove(text: string, offset: number, code: DiagnosticCode): TextEdit {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const bom = start === 0 && text.startsWith("\uFEFF") ? 1 : 0;
  return { span: { start: start + bom, end: start + bom }, newText: `${indent}# ${SILENCE_WORD}: ${code}${eol}` };
}

/**
 * The edit of the workspace file (its text; empty where there is none) that declares a gap as expected: the workload,
 * and the taint where there is one. null for other diagnostics, and where the file cannot take the entry.
 */
export function expectedFix(diagnostic: Diagnostic, workspaceText: string): WorkspaceFix | null {
  if (diagnostic.code !== "toleration-gap" && diagnostic.code !== "toleration-time-bomb") return null;
  const { workload, taints } = diagnostic;
  if (workload === null || workload.name === null) return null;
  const entries: readonly ExpectedEntry[] = taints.map((taint) => ({
    workload: formatRef(workload),
    taint,
    reason: "",
  }));
  const [first] = entries;
  if (first === undefined) return null;
  // Several taints: the workload alone, as each node may carry another of them.
  const entry = entries.length === 1 ? first : { ...first, taint: null };
  const edits = addExpected(workspaceText, entry);
  return edits === null ? null : { title: fill(messages.expected, { file: WORKSPACE_FILE }), edits };
}
