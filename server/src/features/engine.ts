// Features layer: the rules as the session takes them.
import type { Engine } from "../analysis/engine.ts";
import { readSilences } from "../config/silence.ts";
import { isExcluded } from "../config/workspace-shape.ts";
import type { Span } from "../text/span.ts";
import { readManifest } from "../workload/read.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { byPlace, clustersOfFile, diagnoseDocument } from "./diagnostics/diagnose.ts";
import { createJudgeMemo } from "./diagnostics/judge.ts";
import { DEFAULT_OPTIONS, type DiagnoseOptions } from "./diagnostics/rule.ts";
import { withLateFixes } from "./late-fixes.ts";

/** An engine over every rule. `options` are what the caller knows for all files; `rendered` is told file by file. */
export function diagnosticEngine(options: DiagnoseOptions = DEFAULT_OPTIONS): Engine<Diagnostic> {
  const memo = options.memo ?? createJudgeMemo();
  return {
    read: (text, { location, inChart, named = false }, previous) =>
      readManifest(text, { path: location, inChart, previous, records: named }),
    judge: (file, facts, { clusters, config }) => {
      if (isExcluded(config.exclude, facts.path)) return () => [];
      const mapped = clustersOfFile(facts.path, clusters, config);
      const spans = file.documents.map((document) => document.yaml.span);
      const { silences } = readSilences(file.text, spans);
      const context = {
        file,
        path: facts.path,
        config,
        options: { ...options, rendered: options.rendered || facts.rendered },
        memo,
      };
      return (document) => [...diagnoseDocument(document, context, mapped, silences)].sort(byPlace);
    },
    shift: shiftDiagnostic,
  };
}

/** The diagnostic with everything that lies in its own file moved by `by` UTF-16 units. */
function shiftDiagnostic(diagnostic: Diagnostic, by: number): Diagnostic {
  const moved = (span: Span): Span => ({ start: span.start + by, end: span.end + by });
  const { code, severity, message, workload, taints, nodes, cluster, tags } = diagnostic;
  const span = moved(diagnostic.span);
  const related = diagnostic.related.map((place) =>
    place.path === null ? { ...place, span: moved(place.span) } : place,
  );
  const shifted = { code, severity, span, message, workload, taints, nodes, cluster, related, tags };
  return withLateFixes(shifted, () =>
    diagnostic.fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, span: moved(edit.span) })),
    })),
  );
}
