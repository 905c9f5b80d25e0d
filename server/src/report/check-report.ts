// Report layer: what `check` found, ready for any format.
import { atLeast, SEVERITIES, type Severity } from "../../../shared/src/severity.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { Problem } from "./problem.ts";

export interface CheckReport {
  /** Files that were read. */
  readonly files: number;
  readonly clusters: readonly ClusterModel[];
  /** By file in the order they were read, then in text order. */
  readonly problems: readonly Problem[];
  /** What limits the answer, in words: no cluster, parts that are missing, files that could not be read. */
  readonly notes: readonly string[];
}

/** How many problems there are of each severity, gravest first, zeros left out. */
export function severityCounts(problems: readonly Problem[]): readonly (readonly [Severity, number])[] {
  return SEVERITIES.map(
    (severity) => [severity, problems.filter((problem) => problem.diagnostic.severity === severity).length] as const,
  ).filter(([, amount]) => amount > 0);
}

/** Whether any severity reaches the threshold of --fail-on. */
export function reaches(severities: Iterable<Severity>, failOn: Severity | "never"): boolean {
  if (failOn === "never") return false;
  for (const severity of severities) if (atLeast(severity, failOn)) return true;
  return false;
}
