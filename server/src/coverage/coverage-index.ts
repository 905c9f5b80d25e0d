// Coverage layer: a cluster prepared for questions about many workloads. What it remembers are answers to questions
// already asked; nothing of it shows.
import type { ClusterModel } from "../cluster/model.ts";
import type { DeclaredPool } from "../config/workspace.ts";
import type { Workload } from "../kube/workload.ts";
import { admits } from "../scheduling/node-affinity.ts";
import { type CompiledPlacement, compilePlacement } from "../scheduling/place.ts";
import { shortResources } from "../scheduling/resource-fit.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import { answerCoverage } from "./answer-coverage.ts";
import { AxisStore } from "./axis.ts";
import { draServes, withoutServed } from "./dra.ts";
import { type IdentityIndex, indexIdentities } from "./identity.ts";
import { buildNodeTable, type NodeTable, updateNodeTable } from "./node-table.ts";
import { buildPartition, groupByAxes, moveNodes, type Partition } from "./partition.ts";
import type { PreparedWorkload } from "./prepared-workload.ts";
import { ProfileStore } from "./profile-store.ts";
import { TaintVerdicts } from "./taint-verdicts.ts";
import type { WorkloadCoverage } from "./workload-coverage.ts";

export interface CoverageOptions {
  readonly scheduling: SchedulingOptions;
  /** Pools that count as one empty node each. */
  readonly pools: readonly DeclaredPool[];
}

/** Shared by an index and those that follow from it by changes of taints. */
interface LastingState {
  readonly axes: AxisStore;
  readonly profiles: ProfileStore;
  readonly prepared: WeakMap<Workload["template"], Map<string, PreparedWorkload>>;
  readonly verdicts: TaintVerdicts;
}

/** An editor asks about every state of a selector that is being typed; the memory of them is bounded. */
const MOST_PARTITIONS = 4096;

export class CoverageIndex {
  readonly cluster: ClusterModel;
  readonly options: CoverageOptions;
  readonly table: NodeTable;
  readonly #lasting: LastingState;
  readonly #partitions: Map<string, Partition>;
  #identities: IdentityIndex | null = null;
  #places: ReadonlyMap<string, number> | null = null;

  constructor(
    cluster: ClusterModel,
    options: CoverageOptions,
    table: NodeTable,
    lasting: LastingState,
    partitions: Map<string, Partition>,
  ) {
    this.cluster = cluster;
    this.options = options;
    this.table = table;
    this.#lasting = lasting;
    this.#partitions = partitions;
  }

  /** The coverage of a workload, a manifest's or a live one. */
  coverage(workload: Workload): WorkloadCoverage {
    return answerCoverage(workload, this.prepare(workload), this);
  }

  /** The index for a newer model of the same cluster; cheap where only taints, pods or workloads changed. */
  update(cluster: ClusterModel): CoverageIndex {
    const change = updateNodeTable(this.table, this.cluster, cluster, this.#lasting.profiles);
    const served = draServes(cluster) === draServes(this.cluster);
    if (change === null || !served) return indexCoverage(cluster, this.options);
    const partitions = new Map(this.#partitions);
    if (change.moved.length > 0) {
      for (const [key, partition] of partitions) partitions.set(key, moveNodes(partition, change.moved));
    }
    return new CoverageIndex(cluster, this.options, change.table, this.#lasting, partitions);
  }

  /** The rows and cells of the nodes as the workload's rules see them. */
  partition(prepared: PreparedWorkload): Partition {
    return this.#partitionOf(prepared.partitionKey, prepared.placement);
  }

  get verdicts(): TaintVerdicts {
    return this.#lasting.verdicts;
  }

  get profiles(): ProfileStore {
    return this.#lasting.profiles;
  }

  get identities(): IdentityIndex {
    this.#identities ??= indexIdentities(this.cluster);
    return this.#identities;
  }

  /** The index of a node by its name; null when there is none. */
  placeOf(node: string): number | null {
    this.#places ??= new Map(this.table.nodes.map((entry, place) => [entry.name, place]));
    return this.#places.get(node) ?? null;
  }

  /** Reads a workload's rules once; workloads that share a template object share the result. */
  prepare(workload: Workload): PreparedWorkload {
    const { prepared } = this.#lasting;
    let byKind = prepared.get(workload.template);
    if (byKind === undefined) {
      byKind = new Map();
      prepared.set(workload.template, byKind);
    }
    let entry = byKind.get(workload.kind);
    if (entry === undefined) {
      entry = this.#prepare(workload);
      byKind.set(workload.kind, entry);
    }
    return entry;
  }

  #prepare(workload: Workload): PreparedWorkload {
    const template = withoutServed(workload.template, this.cluster);
    const placement = compilePlacement({ kind: workload.kind, template });
    const partitionKey = this.#lasting.axes
      .axesOf(placement)
      .map((axis) => axis.id)
      .join("\n");
    const partition = this.#partitionOf(partitionKey, placement);
    const admitted = new Uint8Array(partition.rows.length);
    const short = new Uint8Array(partition.rows.length);
    partition.rows.forEach((row, place) => {
      const node = this.table.nodes[row.first];
      if (node === undefined) return;
      if (admits(placement.selection, node)) admitted[place] = 1;
      if (shortResources(template.requests, node.allocatable).length > 0) short[place] = 1;
    });
    const rules = placement.tolerations.map(({ toleration }) => toleration);
    return { placement, partitionKey, admitted, short, tolerationsKey: `${placement.mode} ${JSON.stringify(rules)}` };
  }

  #partitionOf(key: string, placement: CompiledPlacement): Partition {
    let partition = this.#partitions.get(key);
    if (partition === undefined) {
      if (this.#partitions.size >= MOST_PARTITIONS) this.#partitions.clear();
      const { nodes, profileOf } = this.table;
      const grouping = groupByAxes(nodes.length, this.#lasting.axes.axesOf(placement));
      partition = buildPartition(grouping, profileOf, this.#lasting.profiles.size);
      this.#partitions.set(key, partition);
    }
    return partition;
  }
}

/** Prepares a cluster. The cost grows with the number of nodes; that of each workload with the kinds of nodes. */
export function indexCoverage(cluster: ClusterModel, options: CoverageOptions): CoverageIndex {
  const profiles = new ProfileStore();
  const table = buildNodeTable(cluster, options.pools, profiles);
  const lasting: LastingState = {
    axes: new AxisStore(table.nodes),
    profiles,
    prepared: new WeakMap(),
    verdicts: new TaintVerdicts(profiles, options.scheduling),
  };
  return new CoverageIndex(cluster, options, table, lasting, new Map());
}

/** The coverage of one workload; for many of them, prepare the cluster once with `indexCoverage`. */
export function coverage(workload: Workload, cluster: ClusterModel, options: CoverageOptions): WorkloadCoverage {
  return indexCoverage(cluster, options).coverage(workload);
}
