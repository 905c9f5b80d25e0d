// LSP layer: no more problems for one file than a person wants to see; the rest is counted.
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import { SOURCE } from "../convert/diagnostic.ts";

/** Keeps the gravest `most`; what is left out is named in one more entry at the place of the first left out. */
export function limited(diagnostics: readonly Diagnostic[], most: number): Diagnostic[] {
  if (diagnostics.length <= most) return [...diagnostics];
  const grave = (diagnostic: Diagnostic): number => diagnostic.severity ?? DiagnosticSeverity.Hint;
  const order = [...diagnostics].sort((left, right) => grave(left) - grave(right));
  const kept = new Set(order.slice(0, most));
  const [first] = order.slice(most);
  if (first === undefined) return [...kept];
  const left = diagnostics.length - most;
  return [
    ...diagnostics.filter((diagnostic) => kept.has(diagnostic)),
    {
      source: SOURCE,
      severity: DiagnosticSeverity.Information,
      range: first.range,
      message: `${left} more ${left === 1 ? "problem is" : "problems are"} not shown (taintwise.maxProblems: ${most}).`,
    },
  ];
}
