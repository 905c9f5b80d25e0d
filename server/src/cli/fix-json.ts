// Command-line layer: `fix` as JSON (docs/json.md).
import type { ClusterModel } from "../cluster/model.ts";
import { type CommonJson, commonJson } from "../report/document.ts";
import type { AppliedFix } from "./source/fixing.ts";

/** A file that was, or would be, changed. */
export interface FixedFile {
  readonly path: string;
  readonly applied: readonly AppliedFix[];
  /** Unified diff. */
  readonly diff: string;
}

export interface FixJson extends CommonJson {
  /** Files that were read. */
  readonly files: number;
  readonly dryRun: boolean;
  readonly fixed: readonly FixedFile[];
}

/** The JSON of a run of fix. */
export function fixJson(
  clusters: readonly ClusterModel[],
  files: number,
  dryRun: boolean,
  fixed: readonly FixedFile[],
): FixJson {
  return { ...commonJson(clusters), files, dryRun, fixed };
}
