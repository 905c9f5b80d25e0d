// LSP layer: a diagnostic as the protocol has it.
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Location,
  type Diagnostic as ProtocolDiagnostic,
} from "vscode-languageserver";
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import type { Severity } from "../../../../shared/src/severity.ts";
import type { Diagnostic, RelatedPlace } from "../../features/diagnostic.ts";
import type { LineIndex } from "../../text/line-index.ts";
import { toRange } from "./range.ts";

/** The `source` of every diagnostic of ours. */
export const SOURCE = "taintwise";

/** Where the page of a code lies; the one place that knows. */
function pageOf(code: DiagnosticCode): string {
  return `https://github.com/taintwise/taintwise/blob/main/docs/diagnostics/${code}.md`;
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const TAG = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

export interface ConvertSurroundings {
  /** The document's URI in the client's spelling. */
  readonly uri: string;
  readonly lines: LineIndex;
  /** Where a place of another file lies; null when the file cannot be read any more. */
  readonly elsewhere: (place: RelatedPlace) => Location | null;
}

/** A diagnostic as the protocol has it; related places that can no longer be shown are left out. */
export function toProtocolDiagnostic(diagnostic: Diagnostic, around: ConvertSurroundings): ProtocolDiagnostic {
  const related = diagnostic.related.flatMap((place) => {
    const own = { uri: around.uri, range: toRange(place.span, around.lines) };
    const location = place.path === null ? own : around.elsewhere(place);
    return location === null ? [] : [{ location, message: place.message }];
  });
  return {
    source: SOURCE,
    code: diagnostic.code,
    codeDescription: { href: pageOf(diagnostic.code) },
    severity: SEVERITY[diagnostic.severity],
    range: toRange(diagnostic.span, around.lines),
    message: diagnostic.message,
    ...(diagnostic.tags.length === 0 ? {} : { tags: diagnostic.tags.map((tag) => TAG[tag]) }),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}
