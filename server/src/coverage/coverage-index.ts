// Coverage layer: a cluster prepared for questions about many workloads. What it remembers are answers to questions
// already asked; nothing of it shows.
import type { ClusterModel } from "../cluster/model.ts";
import type { DeclaredPool } from "../config/workspace.ts";
import type { Workload } from "../kube/workload.ts";
import { type CompiledPlacement, compilePlacement } from "../scheduling/place.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import { answerCoverage, type CoverageSource, type PreparedWorkload } from "./answer-coverage.ts";
import { draServes, withoutServed } from "./dra.ts";
import { GapStore } from "./gap-groups.ts";
import { statedOs } from "./hosting.ts";
import { type IdentityIndex, indexIdentities } from "./identity.ts";
import { LabelStore } from "./label-store.ts";
import { buildNodeTable, type NodeTable, updateNodeTable } from "./node-table.ts";
import { ProfileStore } from "./profile-store.ts";
import { TaintSets } from "./taint-sets.ts";
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
  readonly prepared: WeakMap<Workload["template"], Map<string, PreparedWorkload>>;
  readonly gapClasses: CoverageSource["gapClasses"];
}

export class CoverageIndex {
  readonly cluster: ClusterModel;
  readonly options: CoverageOptions;
  readonly table: NodeTable;
  readonly taints: TaintSets;
  readonly gaps: GapStore;
  readonly #lasting: LastingState;
  #identities: IdentityIndex | null = null;

  constructor(
    cluster: ClusterModel,
    options: CoverageOptions,
    table: NodeTable,
    taints: TaintSets,
    gaps: GapStore,
    lasting: LastingState,
  ) {
    this.cluster = cluster;
    this.options = options;
    this.table = table;
    this.taints = taints;
    this.gaps = gaps;
    this.#lasting = lasting;
  }

  /** The coverage of a workload, a manifest's or a live one. */
  coverage(workload: Workload): WorkloadCoverage {
    return answerCoverage(workload, this.#prepare(workload), this);
  }

  /** The index for a newer model of the same cluster; cheap where only taints, pods or workloads changed. */
  update(cluster: ClusterModel): CoverageIndex {
    const change = updateNodeTable(this.table, this.cluster, cluster, this.#lasting.profiles);
    if (change === null || draServes(cluster) !== draServes(this.cluster)) return indexCoverage(cluster, this.options);
    const taints = this.taints.after(change);
    const gaps = this.gaps.after(change, ({ tolerationsKey, placement }) => taints.blocked(tolerationsKey, placement));
    return new CoverageIndex(cluster, this.options, change.table, taints, gaps, this.#lasting);
  }

  get gapClasses(): CoverageSource["gapClasses"] {
    return this.#lasting.gapClasses;
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
      entry = { placement, admitted, short, tolerationsKey: tolerationsKey(placement), os: statedOs(template) };
      byKind.set(workload.kind, entry);
    }
    return entry;
  }
}

/** Equal keys: the same taints are tolerated, in the same way of placing. */
function tolerationsKey(placement: CompiledPlacement): string {
  let key: string = placement.mode;
  for (const { toleration: one } of placement.tolerations) {
    // Seconds do not count: how long a taint is tolerated says nothing of whether it is.
    key += `\n${one.key}\0${one.operator}\0${one.value}\0${one.effect}`;
  }
  return key;
}

/** Prepares a cluster: one pass over its nodes, and one for each label that a workload asks about. */
export function indexCoverage(cluster: ClusterModel, options: CoverageOptions): CoverageIndex {
  const profiles = new ProfileStore();
  const table = buildNodeTable(cluster, options.pools, profiles);
  const lasting: LastingState = {
    labels: new LabelStore(table.nodes),
    profiles,
    prepared: new WeakMap(),
    gapClasses: new WeakMap(),
  };
  const taints = TaintSets.of(table, profiles, options.scheduling);
  return new CoverageIndex(cluster, options, table, taints, new GapStore(table), lasting);
}

/** The coverage of one workload; for many of them, prepare the cluster once with `indexCoverage`. */
export function coverage(workload: Workload, cluster: ClusterModel, options: CoverageOptions): WorkloadCoverage {
  return indexCoverage(cluster, options).coverage(workload);
}
