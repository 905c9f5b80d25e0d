// Command-line layer: from workloads and clusters to the rows of `explain`.
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import { createCoverageMemo } from "../../coverage/coverage-memo.ts";
import { findRole } from "../../coverage/find-role.ts";
import type { WorkloadCoverage } from "../../coverage/workload-coverage.ts";
import type { Diagnostic } from "../../features/diagnostic.ts";
import { clustersOfFile } from "../../features/diagnostics/diagnose.ts";
import { schedulingOf } from "../../features/diagnostics/judge.ts";
import { formatTaint } from "../../kube/taint.ts";
import { type Workload, workloadRef } from "../../kube/workload.ts";
import { placementReason } from "../../scheduling/reason.ts";
import { schedulerAnswer } from "../../scheduling/scheduler-sentence.ts";
import type { SchedulingOptions } from "../../scheduling/verdict.ts";
import { lineIndex } from "../../text/line-index.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import type { ExplainedNode, ExplainedWorkload } from "../output/explain-report.ts";
import type { CheckedManifest } from "./checking.ts";
import type { WorkloadReference } from "./workload-reference.ts";

export class Explainer {
  readonly #references: readonly WorkloadReference[];
  readonly #memo = createCoverageMemo();

  /** Without references every workload is explained. */
  constructor(references: readonly WorkloadReference[]) {
    this.#references = references;
  }

  /** The workloads of a file, once for each cluster that the file belongs to; once without nodes where there is none. */
  manifest(manifest: CheckedManifest): readonly ExplainedWorkload[] {
    const items = manifest.file.documents
      .flatMap((document) => document.workloads)
      .filter((item) => this.#isMeant(item.workload));
    if (items.length === 0) return [];
    const index = lineIndex(manifest.text);
    const { config } = manifest.snapshot;
    const clusters = clustersOfFile(manifest.facts.path, manifest.snapshot.clusters, config);
    return items.flatMap((item) => {
      const place = { path: manifest.source.path, line: index.positionAt(item.nameSpan.start).line };
      const found = diagnosesOf(item, manifest.diagnoses);
      const targets: readonly (ClusterModel | null)[] = clusters.length === 0 ? [null] : clusters;
      return targets.map((cluster) =>
        this.#explain(
          item.workload,
          cluster,
          config,
          place,
          found.filter((one) => one.cluster === null || one.cluster === cluster?.name),
        ),
      );
    });
  }

  /** The workloads of a cluster; those that another one makes (ReplicaSets, Jobs) only when they are named. */
  live(cluster: ClusterModel, config: WorkspaceConfig): readonly ExplainedWorkload[] {
    const named = this.#references.length > 0;
    return cluster.workloads
      .filter((workload) => (named ? this.#isMeant(workload) : workload.controller === null))
      .map((workload) => this.#explain(workload, cluster, config, { path: null, line: null }, []));
  }

  #isMeant(workload: Workload): boolean {
    const ref = workloadRef(workload);
    return this.#references.length === 0 || this.#references.some((reference) => reference.matches(ref));
  }

  #explain(
    workload: Workload,
    cluster: ClusterModel | null,
    config: WorkspaceConfig,
    place: { readonly path: string | null; readonly line: number | null },
    diagnoses: readonly Diagnostic[],
  ): ExplainedWorkload {
    const scheduling = schedulingOf(config, cluster);
    const coverage =
      cluster === null ? null : this.#memo.indexOf(cluster, { scheduling, pools: config.pools }).coverage(workload);
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

/** The diagnoses that stand inside a workload's own text. */
function diagnosesOf(item: ManifestWorkload, diagnoses: readonly Diagnostic[]): readonly Diagnostic[] {
  const { start, end } = item.object.span;
  return diagnoses.filter(({ span, workload }) => workload !== null && span.start >= start && span.start <= end);
}
