// Report layer: `check` as SARIF.
import { formatRef } from "../kube/workload.ts";
import type { CheckReport } from "./check-report.ts";
import { commonJson } from "./document.ts";
import type { Problem, Range, RangedFix } from "./problem.ts";
import { SARIF_LEVELS, type SarifResult, sarifLog, uriOf } from "./sarif-log.ts";

/**
 * The log of a check. `relative` turns a path as it was named into one relative to the repository's root (kept as it is
 * where it lies outside).
 */
export function sarifText(report: CheckReport, relative: (path: string) => string): string {
  const results = report.problems.map((problem) => result(problem, relative));
  const about = { ...commonJson(report.clusters), files: report.files };
  return sarifLog(results, report.notes, about);
}

function result(problem: Problem, relative: (path: string) => string): SarifResult {
  const { diagnostic } = problem;
  const uri = uriOf(relative(problem.path));
  const named = diagnostic.workload === null ? null : formatRef(diagnostic.workload);
  return {
    ruleId: diagnostic.code,
    level: SARIF_LEVELS[diagnostic.severity],
    message: { text: diagnostic.message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: region(problem.range) },
        ...(named === null ? {} : { logicalLocations: [{ fullyQualifiedName: named, kind: "object" }] }),
      },
    ],
    // Lines move; what is meant does not.
    partialFingerprints: {
      "taintwise/v1": [diagnostic.code, named ?? "", diagnostic.cluster ?? "", ...diagnostic.taints].join("|"),
    },
    ...(problem.fixes.length === 0 ? {} : { fixes: problem.fixes.map((fix) => fixObject(fix, uri)) }),
    properties: {
      severity: diagnostic.severity,
      cluster: diagnostic.cluster,
      taints: diagnostic.taints,
      nodeCount: diagnostic.nodes.length,
    },
  };
}

function fixObject(fix: RangedFix, uri: string): object {
  return {
    description: { text: fix.title },
    artifactChanges: [
      {
        artifactLocation: { uri },
        replacements: fix.edits.map((edit) => ({
          deletedRegion: region(edit.range),
          insertedContent: { text: edit.newText },
        })),
      },
    ],
  };
}

/** SARIF counts lines and columns from 1; the end column is exclusive there too. */
function region(range: Range): object {
  return {
    startLine: range.start.line + 1,
    startColumn: range.start.character + 1,
    endLine: range.end.line + 1,
    endColumn: range.end.character + 1,
  };
}
