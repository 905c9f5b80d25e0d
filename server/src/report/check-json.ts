// Report layer: `check` as JSON (docs/json.md).
import type { ObjectRef } from "../kube/workload.ts";
import type { CheckReport } from "./check-report.ts";
import { type CommonJson, commonJson, refJson } from "./document.ts";
import type { Problem, Range, RangedEdit } from "./problem.ts";

export interface DiagnosticJson {
  readonly path: string;
  readonly range: Range;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly cluster: string | null;
  readonly workload: ObjectRef | null;
  readonly taints: readonly string[];
  readonly nodes: { readonly count: number; readonly names: readonly string[] };
  readonly fixes: readonly {
    readonly title: string;
    readonly kind: string;
    readonly preferred: boolean;
    readonly edits: readonly RangedEdit[];
  }[];
}

export interface CheckJson extends CommonJson {
  readonly files: number;
  readonly diagnostics: readonly DiagnosticJson[];
  /** What limits the answer, in words. */
  readonly notes: readonly string[];
}

/** Node names that a diagnostic lists; `count` holds how many there are. */
const NAMES = 20;

/** The JSON of a check. */
export function checkJson(report: CheckReport): CheckJson {
  return {
    ...commonJson(report.clusters),
    files: report.files,
    diagnostics: report.problems.map(diagnosticJson),
    notes: report.notes,
  };
}

function diagnosticJson(problem: Problem): DiagnosticJson {
  const { diagnostic } = problem;
  return {
    path: problem.path,
    range: problem.range,
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    cluster: diagnostic.cluster,
    workload: diagnostic.workload === null ? null : refJson(diagnostic.workload),
    taints: diagnostic.taints,
    nodes: { count: diagnostic.nodes.length, names: diagnostic.nodes.slice(0, NAMES) },
    fixes: problem.fixes,
  };
}
