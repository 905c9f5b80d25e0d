// Features layer, editor: what every answer to an editor is computed from. Plain data of one moment.
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import type { ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import { type JudgedCluster, type JudgeMemo, judgeWorkload } from "../diagnostics/judge.ts";

export interface EditorContext {
  readonly file: ManifestFile;
  /** The clusters that the file belongs to. */
  readonly clusters: readonly ClusterModel[];
  readonly config: WorkspaceConfig;
  readonly memo: JudgeMemo;
}

/** The workload held against every cluster of its file. */
export function judged(item: ManifestWorkload, context: EditorContext): readonly JudgedCluster[] {
  return context.clusters.map((cluster) => judgeWorkload(item.workload, cluster, context.config, context.memo));
}

/** Every workload of the file, in text order. */
export function workloadsOf(file: ManifestFile): readonly ManifestWorkload[] {
  return file.documents.flatMap((document) => document.workloads);
}
