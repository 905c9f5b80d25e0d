// Coverage layer: a cluster's nodes in a row, each with the number of its kind of taints.
import type { ClusterModel } from "../cluster/model.ts";
import type { DeclaredPool } from "../config/workspace.ts";
import { decodeResources } from "../kube/decode/resources.ts";
import type { ClusterNode } from "../kube/node.ts";
import type { Resources } from "../kube/resources.ts";
import type { Taint } from "../kube/taint.ts";
import { type NumberedSet, sparseSetsOf } from "./node-set.ts";
import type { ProfileStore } from "./profile-store.ts";

/** A node of the cluster, or one empty node of a declared pool. */
export interface TableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly allocatable: Resources | null;
  /** The pool's name; null for a node that is there. */
  readonly pool: string | null;
}

/**
 * The nodes, placed so that those of one profile stand side by side: sets of nodes by taints are then short runs of
 * bits. Places outlive changes of taints, after which the runs have holes.
 */
export interface NodeTable {
  readonly nodes: readonly TableNode[];
  /** For each place the number of the node's profile. */
  readonly profileOf: Int32Array;
  /** The places of each profile, by its number. */
  readonly byProfile: readonly NumberedSet[];
  /** For each node in the model's order (pools behind them) its place. */
  readonly places: Int32Array;
  /** The reverse: for each place the node's rank in the model's order. */
  readonly ranks: Int32Array;
  /** Whether places within a profile still follow the model's order. */
  readonly ordered: boolean;
  /** Whether a declared pool stands among the nodes. */
  readonly hasPools: boolean;
  /** Stands for `byProfile`; holds nothing, so that knowing an older table's keeps no table alive. */
  readonly version: TableVersion;
  /** How `byProfile` came about; null where it was built anew. */
  readonly change: TableChange | null;
}

export type TableVersion = Readonly<Record<never, never>>;

/** The sets of places that differ from the table before; all others are the same objects. */
export interface TableChange {
  readonly from: TableVersion;
  readonly gone: readonly NumberedSet[];
  readonly come: readonly NumberedSet[];
}

/** Builds the table of a cluster's nodes and pools. */
export function buildNodeTable(
  cluster: Pick<ClusterModel, "nodes">,
  pools: readonly DeclaredPool[],
  profiles: ProfileStore,
): NodeTable {
  const inOrder: TableNode[] = [];
  const profileIds: number[] = [];
  for (const node of cluster.nodes.values()) {
    profileIds.push(profiles.idOf(node));
    inOrder.push(tableNode(node));
  }
  for (const pool of pools) {
    const node = poolNode(pool);
    profileIds.push(profiles.idOf({ ...node, info: null }));
    inOrder.push(node);
  }
  const byProfile: number[][] = Array.from({ length: profiles.size }, () => []);
  profileIds.forEach((profile, rank) => {
    byProfile[profile]?.push(rank);
  });
  const ranks = Int32Array.from(byProfile.flat());
  const places = new Int32Array(ranks.length);
  ranks.forEach((rank, place) => {
    places[rank] = place;
  });
  const profileOf = ranks.map((rank) => profileIds[rank] ?? 0);
  return {
    nodes: Array.from(ranks, (rank) => inOrder[rank]).filter((node) => node !== undefined),
    profileOf,
    byProfile: sparseSetsOf(profileOf),
    places,
    ranks,
    ordered: true,
    hasPools: pools.length > 0,
    version: {},
    change: null,
  };
}

function tableNode(node: ClusterNode): TableNode {
  const { name, labels, taints, unschedulable, allocatable } = node;
  return { name, labels, taints, unschedulable, allocatable, pool: null };
}

/** A pool's node has a name that no node can have, so that node names in a selector never mean it. */
export function poolNode(pool: DeclaredPool): TableNode {
  return {
    name: `(pool ${pool.name})`,
    labels: pool.labels,
    taints: pool.taints,
    unschedulable: false,
    allocatable: pool.allocatable === null ? null : decodeResources(pool.allocatable),
    pool: pool.name,
  };
}

/**
 * The table of a newer model, where only taints, cordons and what the table does not hold changed; null where nodes
 * came or went, or labels or allocatable changed, so that it must be built anew. Pools stay as they are.
 */
export function updateNodeTable(
  table: NodeTable,
  before: Pick<ClusterModel, "nodes">,
  after: Pick<ClusterModel, "nodes">,
  profiles: ProfileStore,
): NodeTable | null {
  if (before.nodes.size !== after.nodes.size) return null;
  let nodes: TableNode[] | null = null;
  let profileOf: Int32Array | null = null;
  const changed = new Set<number>();
  const old = before.nodes.values();
  let rank = -1;
  for (const node of after.nodes.values()) {
    rank++;
    const previous = old.next().value;
    if (node === previous) continue;
    if (previous === undefined || !sameApartFromTaints(previous, node)) return null;
    const place = table.places[rank] ?? 0;
    nodes ??= [...table.nodes];
    nodes[place] = tableNode(node);
    const profile = profiles.idOf(node);
    if (profile === table.profileOf[place]) continue;
    profileOf ??= table.profileOf.slice();
    changed.add(profile).add(table.profileOf[place] ?? 0);
    profileOf[place] = profile;
  }
  if (nodes === null) return table;
  if (profileOf === null) return { ...table, nodes };
  const come = sparseSetsOf(profileOf).filter(({ number }) => changed.has(number));
  const gone = table.byProfile.filter(({ number }) => changed.has(number));
  const byProfile = [...table.byProfile.filter(({ number }) => !changed.has(number)), ...come];
  const change: TableChange = { from: table.version, gone, come };
  return { ...table, nodes, profileOf, byProfile, ordered: false, version: {}, change };
}

function sameApartFromTaints(before: ClusterNode, after: ClusterNode): boolean {
  return (
    before.name === after.name &&
    sameRecord(before.labels, after.labels) &&
    (before.allocatable === after.allocatable ||
      (before.allocatable !== null && after.allocatable !== null && sameRecord(before.allocatable, after.allocatable)))
  );
}

function sameRecord<V>(before: Readonly<Record<string, V>>, after: Readonly<Record<string, V>>): boolean {
  if (before === after) return true;
  const keys = Object.keys(before);
  return keys.length === Object.keys(after).length && keys.every((key) => before[key] === after[key]);
}
