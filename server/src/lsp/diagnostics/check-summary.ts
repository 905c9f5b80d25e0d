// LSP layer: what a check of the workspace found, counted.
import { DiagnosticSeverity } from "vscode-languageserver";
import type { WorkspaceCheck } from "../../../../shared/src/protocol.ts";
import type { CheckedFile } from "./background-check.ts";

/** Counts over the files. `truncated`: the scan stopped at its limit. */
export function checkSummary(files: readonly CheckedFile[], truncated: boolean): WorkspaceCheck {
  const of = (severity: DiagnosticSeverity): number =>
    files.reduce((sum, file) => sum + file.diagnostics.filter((each) => each.severity === severity).length, 0);
  return {
    files: files.length,
    workloads: files.reduce((sum, file) => sum + file.workloads.length, 0),
    errors: of(DiagnosticSeverity.Error),
    warnings: of(DiagnosticSeverity.Warning),
    information: of(DiagnosticSeverity.Information),
    hints: of(DiagnosticSeverity.Hint),
    unreadable: files.filter((file) => file.broken).length,
    templates: files.filter((file) => file.template).length,
    truncated,
  };
}
