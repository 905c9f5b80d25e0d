// Coverage layer: a class of nodes whose names and placement are worked out when they are asked for.
import { type CompiledPlacement, placeCompiled } from "../scheduling/place.ts";
import type { Placement, SchedulingOptions, Verdict } from "../scheduling/verdict.ts";
import { hostingOf } from "./hosting.ts";
import { firstOf, membersOf, type SparseSet } from "./node-set.ts";
import type { NodeTable } from "./node-table.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { CoverageClass } from "./workload-coverage.ts";

/** What all classes of one workload share. */
export interface ClassView {
  readonly table: NodeTable;
  readonly profiles: ProfileStore;
  readonly placement: CompiledPlacement;
  readonly scheduling: SchedulingOptions;
  readonly kind: string;
  readonly os: string | null;
}

const NO_POOLS: readonly string[] = [];

/** Nodes with one verdict for a workload; names and placement are worked out when asked for. */
export class NodeClass implements CoverageClass {
  readonly verdict: Verdict;
  readonly #view: ClassView;
  readonly #members: SparseSet;
  #nodes: readonly string[] | null = null;
  #placement: Placement | null = null;

  /** `members` are places of nodes of one profile; there is at least one. */
  constructor(view: ClassView, members: SparseSet, verdict: Verdict) {
    this.verdict = verdict;
    this.#view = view;
    this.#members = members;
  }

  get host(): CoverageClass["host"] {
    const { profiles, table } = this.#view;
    return profiles.profile(table.profileOf[firstOf(this.#members)] ?? 0).host;
  }

  get hosting(): CoverageClass["hosting"] {
    return hostingOf(this.#view.kind, this.#view.os, this.host);
  }

  get nodes(): readonly string[] {
    this.#nodes ??= this.#names();
    return this.#nodes;
  }

  #names(): readonly string[] {
    const names: string[] = [];
    for (const place of this.#inOrder()) {
      const node = this.#view.table.nodes[place];
      if (node !== undefined && node.pool === null) names.push(node.name);
    }
    return names;
  }

  get pools(): readonly string[] {
    if (!this.#view.table.hasPools) return NO_POOLS;
    return this.#inOrder().flatMap((place) => this.#view.table.nodes[place]?.pool ?? []);
  }

  get placement(): Placement {
    if (this.#placement === null) {
      const node = this.#view.table.nodes[firstOf(this.#members)];
      if (node === undefined) throw new Error("a class without nodes");
      this.#placement = placeCompiled(this.#view.placement, node, this.#view.scheduling);
    }
    return this.#placement;
  }

  /** The places in the model's order, which they follow by themselves until taints change. */
  #inOrder(): readonly number[] {
    const { ordered, ranks } = this.#view.table;
    const places = membersOf(this.#members);
    return ordered ? places : places.toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  }
}
