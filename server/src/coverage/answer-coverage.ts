// Coverage layer: a workload's coverage put together from sets of nodes. Names, placements and pods are gathered only
// when they are asked for.
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";
import { type CompiledPlacement, placeCompiled } from "../scheduling/place.ts";
import type { Placement, SchedulingOptions, Verdict } from "../scheduling/verdict.ts";
import { hostingOf, type NodeHost } from "./hosting.ts";
import { type IdentityIndex, type LiveMatch, matchLive, runningPods } from "./identity.ts";
import type { LabelStore } from "./label-store.ts";
import { type ClassView, NodeClass } from "./node-class.ts";
import type { NodeClasses } from "./node-classes.ts";
import {
  firstOf,
  has,
  isSparseAnd,
  membersOf,
  type NodeSet,
  type NumberedSet,
  type SparseSet,
  sparseAnd,
  sparseSizeOfBoth,
  sparseWithout,
} from "./node-set.ts";
import type { NodeTable } from "./node-table.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { Outcome, TaintOutcomes } from "./taint-outcomes.ts";
import type { CoverageClass, TimeBomb, WorkloadCoverage } from "./workload-coverage.ts";

/** A workload's rules, read once against the labels of a cluster's nodes. */
export interface PreparedWorkload {
  readonly placement: CompiledPlacement;
  readonly admitted: NodeSet;
  readonly admittedCount: number;
  /** Nodes that could never give what is requested; null: none. */
  readonly short: NodeSet | null;
  /** Stands for the tolerations and the way of placing. */
  readonly tolerationsKey: string;
  /** The operating system the workload states. */
  readonly os: string | null;
  /** The classes of gaps given last, by profile; taken again where their nodes are still the same. */
  readonly gapClasses: Map<number, GapClass>;
}

interface GapClass {
  readonly members: SparseSet;
  /** The smallest rank among the members. */
  readonly rank: number;
  readonly classes: readonly CoverageClass[];
}

/** What an answer reads of the index that gives it. */
export interface CoverageSource {
  readonly table: NodeTable;
  readonly labels: LabelStore;
  readonly profiles: ProfileStore;
  readonly outcomes: TaintOutcomes;
  readonly nodeClasses: NodeClasses;
  readonly identities: IdentityIndex;
  readonly options: { readonly scheduling: SchedulingOptions };
}

/** Answers for a workload from an index and what the index has prepared for it. */
export function answerCoverage(
  workload: Workload,
  prepared: PreparedWorkload,
  source: CoverageSource,
): WorkloadCoverage {
  return new Answer(workload, prepared, source);
}

class Answer implements WorkloadCoverage {
  readonly workload: Workload;
  readonly #prepared: PreparedWorkload;
  readonly #source: CoverageSource;
  readonly #outcomes: readonly Outcome[];
  readonly #view: ClassView;
  #live: LiveMatch | null = null;
  #counts: WorkloadCoverage["counts"] | null = null;
  #classes: readonly CoverageClass[] | null = null;
  #gaps: readonly CoverageClass[] | null = null;
  #pods: ReadonlyMap<string, readonly ClusterPod[]> | null | undefined;

  constructor(workload: Workload, prepared: PreparedWorkload, source: CoverageSource) {
    this.workload = workload;
    this.#prepared = prepared;
    this.#source = source;
    this.#outcomes = source.outcomes.of(prepared.tolerationsKey, prepared.placement);
    this.#view = {
      table: source.table,
      profiles: source.profiles,
      placement: prepared.placement,
      scheduling: source.options.scheduling,
      kind: workload.kind,
      os: prepared.os,
    };
  }

  get os(): string | null {
    return this.#prepared.os;
  }

  get live(): LiveMatch {
    this.#live ??= matchLive(this.workload, this.#source.identities);
    return this.#live;
  }

  get counts(): WorkloadCoverage["counts"] {
    this.#counts ??= this.#count();
    return this.#counts;
  }

  get classes(): readonly CoverageClass[] {
    this.#classes ??= this.#source.nodeClasses(this.#prepared.placement.spec).map((members) => this.#classOf(members));
    return this.#classes;
  }

  get gaps(): readonly CoverageClass[] {
    this.#gaps ??= this.#findGaps();
    return this.#gaps;
  }

  get timeBombs(): readonly TimeBomb[] {
    const bombs = this.gaps.map((gap) => ({
      class: gap,
      nodes: gap.nodes.filter((node) => this.running(node) === true),
    }));
    return bombs.filter((bomb) => bomb.nodes.length > 0);
  }

  readonly placementOn = (name: string): Placement | null => {
    const place = this.#source.labels.placeOf(name);
    const node = place === null ? undefined : this.#source.table.nodes[place];
    if (node === undefined) return null;
    return placeCompiled(this.#prepared.placement, node, this.#source.options.scheduling);
  };

  readonly verdictOn = (name: string): Verdict | null => {
    const place = this.#source.labels.placeOf(name);
    return place === null ? null : this.#verdictOf(place);
  };

  readonly hostOf = (name: string): NodeHost | null => {
    const place = this.#source.labels.placeOf(name);
    if (place === null) return null;
    return this.#source.profiles.profile(this.#source.table.profileOf[place] ?? 0).host;
  };

  readonly running = (name: string): boolean | null => {
    const pods = this.#podsByNode();
    return pods === null ? null : pods.has(name);
  };

  readonly podsOn = (name: string): readonly ClusterPod[] => this.#podsByNode()?.get(name) ?? [];

  #podsByNode(): ReadonlyMap<string, readonly ClusterPod[]> | null {
    if (this.#pods === undefined) {
      const live = this.live;
      const pods = live.state === "matched" ? runningPods(live.workload, this.#source.identities) : null;
      this.#pods = pods === null ? null : podsByNode(pods);
    }
    return this.#pods;
  }

  #count(): WorkloadCoverage["counts"] {
    const { admitted, admittedCount, placement, short } = this.#prepared;
    const { table } = this.#source;
    let kept = 0;
    let evicted = 0;
    let lacking = 0;
    for (const nodes of table.byProfile) {
      const outcome = this.#outcomes[nodes.number];
      if (outcome === "tolerated") {
        if (short !== null) lacking += sparseSizeOfBoth(sparseAnd(nodes, short) ?? NOBODY, admitted);
      } else if (outcome === "NoExecute") evicted += sparseSizeOfBoth(nodes, admitted);
      else kept += sparseSizeOfBoth(nodes, admitted);
    }
    const free = admittedCount - kept - evicted;
    const affinity = table.nodes.length - admittedCount;
    if (placement.mode === "daemonset") return nonZero({ run: free, keep: kept, evict: evicted, affinity });
    return nonZero({ fits: free - lacking, resource: lacking, taint: kept + evicted, affinity });
  }

  /** Blocked nodes that are admitted, by profile (selectors do not matter any more), in the order of their first node. */
  #findGaps(): readonly CoverageClass[] {
    const { profiles, table } = this.#source;
    const gaps: GapClass[] = [];
    for (const nodes of table.byProfile) {
      if (this.#outcomes[nodes.number] === "tolerated") continue;
      const { host } = profiles.profile(nodes.number);
      if (hostingOf(this.workload.kind, this.os, host) !== "hosts") continue;
      const gap = this.#gapClass(nodes);
      if (gap !== null) gaps.push(gap);
    }
    if (!table.ordered) gaps.sort((a, b) => a.rank - b.rank);
    return gaps.flatMap((gap) => gap.classes);
  }

  /** The gap at a profile's nodes, null where none of them is admitted. Nodes that are short as well are a class of their own. */
  #gapClass(nodes: NumberedSet): GapClass | null {
    const { admitted, gapClasses, short } = this.#prepared;
    const known = gapClasses.get(nodes.number);
    if (known !== undefined && isSparseAnd(known.members, nodes, admitted)) return known;
    const members = sparseAnd(nodes, admitted);
    if (members === null) return null;
    const parts = short === null ? [members] : [sparseWithout(members, short), sparseAnd(members, short)];
    const classes = parts.flatMap((part) => (part === null ? [] : [this.#classOf(part)]));
    const gap: GapClass = { members, rank: this.#firstRank(members), classes };
    gapClasses.set(nodes.number, gap);
    return gap;
  }

  #firstRank(members: SparseSet): number {
    const { ordered, ranks } = this.#source.table;
    const first = ranks[firstOf(members)] ?? 0;
    if (ordered) return first;
    return membersOf(members).reduce((least, place) => Math.min(least, ranks[place] ?? least), first);
  }

  #verdictOf(node: number): Verdict {
    const { admitted, placement, short } = this.#prepared;
    if (!has(admitted, node)) return "affinity";
    const outcome = this.#outcomes[this.#source.table.profileOf[node] ?? 0];
    if (placement.mode === "daemonset") {
      if (outcome === "tolerated") return "run";
      return outcome === "NoExecute" ? "evict" : "keep";
    }
    if (outcome !== "tolerated") return "taint";
    return short !== null && has(short, node) ? "resource" : "fits";
  }

  #classOf(members: SparseSet): CoverageClass {
    return new NodeClass(this.#view, members, this.#verdictOf(firstOf(members)));
  }
}

const NOBODY: SparseSet = { words: [], bits: [] };

function nonZero(counts: Partial<Record<Verdict, number>>): WorkloadCoverage["counts"] {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function podsByNode(pods: readonly ClusterPod[]): ReadonlyMap<string, readonly ClusterPod[]> {
  const groups = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    const group = groups.get(pod.spec.nodeName);
    if (group === undefined) groups.set(pod.spec.nodeName, [pod]);
    else group.push(pod);
  }
  return groups;
}
