// Command-line layer: from workloads and clusters to the rows of `explain`.
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import { createCoverageMemo } from "../../coverage/coverage-memo.ts";
import type { Diagnostic } from "../../features/diagnostic.ts";
import { clustersOfFile } from "../../features/diagnostics/diagnose.ts";
import { type Workload, workloadRef } from "../../kube/workload.ts";
import type { ExplainedWorkload } from "../../report/explain-report.ts";
import { type ExplainedPlace, explainWorkload } from "../../report/explain-workload.ts";
import { requestsDevice } from "../../report/missing-parts.ts";
import { lineIndex } from "../../text/line-index.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import type { CheckedManifest } from "./checking.ts";
import type { WorkloadReference } from "./workload-reference.ts";

/** Explains workloads one by one and remembers what all of them together need to be told. */
export class Explainer {
  readonly #references: readonly WorkloadReference[];
  readonly #memo = createCoverageMemo();

  #asksForDevices = false;

  /** Without references every workload is explained. */
  constructor(references: readonly WorkloadReference[]) {
    this.#references = references;
  }

  /** Whether any workload so far requests an extended resource. */
  get asksForDevices(): boolean {
    return this.#asksForDevices;
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
    place: ExplainedPlace,
    diagnoses: readonly Diagnostic[],
  ): ExplainedWorkload {
    this.#asksForDevices ||= requestsDevice(workload);
    return explainWorkload(workload, cluster, config, place, diagnoses, this.#memo);
  }
}

/** The diagnoses that stand inside a workload's own text. */
function diagnosesOf(item: ManifestWorkload, diagnoses: readonly Diagnostic[]): readonly Diagnostic[] {
  const { start, end } = item.object.span;
  return diagnoses.filter(({ span, workload }) => workload !== null && span.start >= start && span.start <= end);
}
