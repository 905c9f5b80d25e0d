// LSP layer: what is wrong with taintwise.yaml, told in that file.
import { DiagnosticSeverity, type Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
import { readWorkspaceText } from "../../config/read-workspace.ts";
import { lineIndex } from "../../text/line-index.ts";
import { SOURCE } from "../convert/diagnostic.ts";
import { toRange } from "../convert/range.ts";

/** The problems of the workspace file's text. What is wrong falls back to its default, so that each is a warning. */
export function workspaceFileDiagnostics(text: string): ProtocolDiagnostic[] {
  const lines = lineIndex(text);
  return readWorkspaceText(text).problems.map(({ span, message }) => ({
    source: SOURCE,
    severity: DiagnosticSeverity.Warning,
    range: toRange(span, lines),
    message,
  }));
}
