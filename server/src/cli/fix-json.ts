// Command-line layer: `fix` as JSON (docs/json.md).
import type { ClusterModel } from "../cluster/model.ts";
import { type CommonJson, commonJson } from "../report/document.ts";
import type { Range } from "../report/problem.ts";
import type { AppliedFix } from "./source/fixing.ts";

/** A file that was, or would be, changed. */
export interface FixedFile {
  readonly path: string;
  readonly applied: readonly AppliedFix[];
  /** Unified diff. */
  readonly diff: string;
}

/** A file, or a document of one, that is left as it is: what stands in the way, and where. */
export interface NotFixed {
  readonly path: string;
  /** Null when it is about the whole file. */
  readonly range: Range | null;
  readonly message: string;
}

export interface FixJson extends CommonJson {
  /** Files that were read. */
  readonly files: number;
  readonly dryRun: boolean;
  readonly fixed: readonly FixedFile[];
  readonly notFixed: readonly NotFixed[];
}

/** The JSON of a run of fix. */
export function fixJson(
  clusters: readonly ClusterModel[],
  files: number,
  dryRun: boolean,
  fixed: readonly FixedFile[],
  notFixed: readonly NotFixed[],
): FixJson {
  return { ...commonJson(clusters), files, dryRun, fixed, notFixed };
}
