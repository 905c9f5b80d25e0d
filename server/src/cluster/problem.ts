// Cluster layer: what was wrong with the files or the snapshot a cluster was read from. Plain data; nothing is thrown.
import type { Severity } from "../../../shared/src/severity.ts";

/** One problem in one line of text. */
export interface ClusterProblem {
  /** The file as it was named; `-` for standard input; null when no file is meant. */
  readonly path: string | null;
  /** 0-based place in the file, `character` in UTF-16 code units; null when the file as a whole is meant. */
  readonly line: number | null;
  readonly character: number | null;
  readonly message: string;
  /** `error`: what was asked for cannot be used. `warning`: something is lost or doubtful. `information`: worth knowing. */
  readonly severity: Severity;
}

/** A problem of a file as a whole. */
export function fileProblem(path: string | null, message: string, severity: Severity = "error"): ClusterProblem {
  return { path, line: null, character: null, message, severity };
}

/** `path:line:column: message` with a 1-based place, as terminals and people expect it. */
export function formatClusterProblem(problem: ClusterProblem): string {
  const place = problem.line === null ? "" : `:${problem.line + 1}:${(problem.character ?? 0) + 1}`;
  return problem.path === null ? problem.message : `${problem.path}${place}: ${problem.message}`;
}
