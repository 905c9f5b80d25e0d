// Report layer: one workload and one cluster as a row of `explain`.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import type { CoverageMemo } from "../coverage/coverage-memo.ts";
import { findRole } from "../coverage/find-role.ts";
import type { WorkloadCoverage } from "../coverage/workload-coverage.ts";
import type { Diagnostic } from "../features/diagnostic.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { formatTaint } from "../kube/taint.ts";
import { type Workload, workloadRef } from "../kube/workload.ts";
import { placementReason } from "../scheduling/reason.ts";
import { schedulerAnswer } from "../scheduling/scheduler-sentence.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import type { ExplainedNode, ExplainedWorkload } from "./explain-report.ts";

/** Where a workload stands; nulls for one that was read from a cluster. `line` is 0-based. */
export interface ExplainedPlace {
  readonly path: string | null;
  readonly line: number | null;
}

/** Explains a workload against a cluster; without one it has no nodes. `diagnoses` are those of its own text. */
export function explainWorkload(
  workload: Workload,
  cluster: ClusterModel | null,
  config: WorkspaceConfig,
  place: ExplainedPlace,
  diagnoses: readonly Diagnostic[],
  memo: CoverageMemo,
): ExplainedWorkload {
  const scheduling = schedulingOf(config, cluster);
  const coverage =
    cluster === null ? null : memo.indexOf(cluster, { scheduling, pools: config.pools }).coverage(workload);
  return {
    ref: workloadRef(workload),
    generateName: workload.generateName,
    ...place,
    role: findRole(workload, config.roles).role,
    problems: diagnoses.map(({ code, severity }) => ({ code, severity })),
    cluster: cluster?.name ?? null,
    nodes:
      cluster === null || coverage === null
        ? []
        : [...cluster.nodes.keys()].flatMap((name) => explainNode(name, coverage)),
    sentence: cluster === null ? null : sentenceOf(workload, cluster, scheduling),
  };
}

function explainNode(name: string, coverage: WorkloadCoverage): readonly ExplainedNode[] {
  const placement = coverage.placementOn(name);
  if (placement === null) return [];
  return [
    {
      name,
      verdict: placement.verdict,
      untolerated: placement.untolerated.map(formatTaint),
      short: placement.short,
      reason: placementReason(placement),
      running: coverage.running(name),
    },
  ];
}

function sentenceOf(workload: Workload, cluster: ClusterModel, scheduling: SchedulingOptions): string | null {
  if (workload.kind === "DaemonSet" || cluster.parts.nodes !== "known" || workload.template.nodeName !== "")
    return null;
  const nodes = [...cluster.nodes.values()].map((node) => ({ node }));
  return schedulerAnswer(workload.template, nodes, scheduling).sentence;
}
