// Coverage layer: a cluster prepared for questions about many workloads. What it remembers are answers to questions
// already asked; nothing of it shows.
import type { ClusterModel } from "../cluster/model.ts";
import type { DeclaredPool } from "../config/workspace.ts";
import type { Workload } from "../kube/workload.ts";
import { compilePlacement } from "../scheduling/place.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import { answerCoverage, type PreparedWorkload } from "./answer-coverage.ts";
import { draServes, withoutServed } from "./dra.ts";
import { statedOs } from "./hosting.ts";
import { type IdentityIndex, indexIdentities } from "./identity.ts";
import { LabelStore } from "./label-store.ts";
import { type NodeClasses, rememberClasses } from "./node-classes.ts";
import { size } from "./node-set.ts";
import { buildNodeTable, type NodeTable, updateNodeTable } from "./node-table.ts";
import { ProfileStore } from "./profile-store.ts";
import { TaintOutcomes, tolerationsKey } from "./taint-outcomes.ts";
import type { WorkloadCoverage } from "./workload-coverage.ts";

export interface CoverageOptions {
  readonly scheduling: SchedulingOptions;
  /** Pools that count as one empty node each. */
  readonly pools: readonly DeclaredPool[];
}

/** What does not depend on taints: shared by an index and those that follow from it by changes of taints. */
interface LastingState {
  readonly labels: LabelStore;
  readonly profiles: ProfileStore;
  readonly outcomes: TaintOutcomes;
  readonly prepared: WeakMap<Workload["template"], Map<string, PreparedWorkload>>;
}

/** Answers for any workload on which nodes of one cluster it lives; what only the cluster decides is worked out once. */
export class CoverageIndex {
  readonly cluster: ClusterModel;
  readonly options: CoverageOptions;
  readonly table: NodeTable;
  readonly nodeClasses: NodeClasses;
  readonly #lasting: LastingState;
  #identities: IdentityIndex | null = null;

  constructor(cluster: ClusterModel, options: CoverageOptions, table: NodeTable, lasting: LastingState) {
    this.cluster = cluster;
    this.options = options;
    this.table = table;
    this.#lasting = lasting;
    this.nodeClasses = rememberClasses(table, lasting.labels);
  }

  /** The coverage of a workload, a manifest's or a live one. */
  coverage(workload: Workload): WorkloadCoverage {
    return answerCoverage(workload, this.#prepare(workload), this);
  }

  /** The index for a newer model of the same cluster; cheap where only taints, pods or workloads changed. */
  update(cluster: ClusterModel): CoverageIndex {
    const table = updateNodeTable(this.table, this.cluster, cluster, this.#lasting.profiles);
    if (table === null || draServes(cluster) !== draServes(this.cluster)) return indexCoverage(cluster, this.options);
    return new CoverageIndex(cluster, this.options, table, this.#lasting);
  }

  get outcomes(): TaintOutcomes {
    return this.#lasting.outcomes;
  }

  get labels(): LabelStore {
    return this.#lasting.labels;
  }

  get profiles(): ProfileStore {
    return this.#lasting.profiles;
  }

  get identities(): IdentityIndex {
    this.#identities ??= indexIdentities(this.cluster);
    return this.#identities;
  }

  /** Reads a workload's rules once; workloads that share a template object share the result. */
  #prepare(workload: Workload): PreparedWorkload {
    const { prepared, labels } = this.#lasting;
    const byKind = prepared.get(workload.template) ?? new Map<string, PreparedWorkload>();
    prepared.set(workload.template, byKind);
    let entry = byKind.get(workload.kind);
    if (entry === undefined) {
      const template = withoutServed(workload.template, this.cluster);
      const placement = compilePlacement({ kind: workload.kind, template });
      const admitted = labels.admitted(placement.selection);
      const short = labels.short(template.requests);
      entry = {
        placement,
        admitted,
        admittedCount: size(admitted),
        short,
        tolerationsKey: tolerationsKey(placement),
        os: statedOs(template),
        gapClasses: new Map(),
        last: { tally: null, gaps: null },
      };
      byKind.set(workload.kind, entry);
    }
    return entry;
  }
}

/** Prepares a cluster: one pass over its nodes, and one over their labels when the first selector asks. */
export function indexCoverage(cluster: ClusterModel, options: CoverageOptions): CoverageIndex {
  const profiles = new ProfileStore();
  const table = buildNodeTable(cluster, options.pools, profiles);
  const lasting: LastingState = {
    labels: new LabelStore(table.nodes),
    profiles,
    outcomes: new TaintOutcomes(profiles, options.scheduling),
    prepared: new WeakMap(),
  };
  return new CoverageIndex(cluster, options, table, lasting);
}

/** The coverage of one workload; for many of them, prepare the cluster once with `indexCoverage`. */
export function coverage(workload: Workload, cluster: ClusterModel, options: CoverageOptions): WorkloadCoverage {
  return indexCoverage(cluster, options).coverage(workload);
}
