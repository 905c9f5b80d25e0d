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
import type { NodeTable, TableVersion } from "./node-table.ts";
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
  /** What was answered last: after a change of some nodes' taints only these nodes are asked again. */
  readonly last: LastAnswers;
}

interface LastAnswers {
  tally: { readonly version: TableVersion; readonly tally: Tally } | null;
  gaps: { readonly version: TableVersion; readonly ordered: boolean; readonly gaps: readonly GapClass[] } | null;
}

/** Admitted nodes by what their taints come to. */
interface Tally {
  readonly kept: number;
  readonly evicted: number;
  /** Tolerated, and too small for what is requested. */
  readonly lacking: number;
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
    const { admittedCount, placement, last } = this.#prepared;
    const { table } = this.#source;
    const { change, version } = table;
    let tally: Tally;
    if (last.tally?.version === version) tally = last.tally.tally;
    else if (last.tally !== null && last.tally.version === change?.from) {
      tally = sum(last.tally.tally, this.#tally(change.come), this.#tally(change.gone));
    } else tally = this.#tally(table.byProfile);
    last.tally = { version, tally };
    const { kept, evicted, lacking } = tally;
    const free = admittedCount - kept - evicted;
    const affinity = table.nodes.length - admittedCount;
    if (placement.mode === "daemonset") return nonZero({ run: free, keep: kept, evict: evicted, affinity });
    return nonZero({ fits: free - lacking, resource: lacking, taint: kept + evicted, affinity });
  }

  #tally(sets: readonly NumberedSet[]): Tally {
    const { admitted, short } = this.#prepared;
    let kept = 0;
    let evicted = 0;
    let lacking = 0;
    for (const nodes of sets) {
      const outcome = this.#outcomes[nodes.number];
      if (outcome === "tolerated") {
        if (short !== null) lacking += sparseSizeOfBoth(sparseAnd(nodes, short) ?? NOBODY, admitted);
      } else if (outcome === "NoExecute") evicted += sparseSizeOfBoth(nodes, admitted);
      else kept += sparseSizeOfBoth(nodes, admitted);
    }
    return { kept, evicted, lacking };
  }

  /** Blocked nodes that are admitted, by profile (selectors do not matter any more), in the order of their first node. */
  #findGaps(): readonly CoverageClass[] {
    const { last } = this.#prepared;
    const { byProfile, ordered, version } = this.#source.table;
    let gaps = this.#lastGaps() ?? byProfile.flatMap((nodes) => this.#gapAt(nodes) ?? []);
    if (!ordered && (last.gaps === null || gaps !== last.gaps.gaps || last.gaps.ordered)) {
      gaps = gaps.toSorted((a, b) => a.rank - b.rank);
    }
    last.gaps = { version, ordered, gaps };
    return gaps.flatMap((gap) => gap.classes);
  }

  /** The gaps found last, where none of the nodes that changed since then makes or made one; else null. */
  #lastGaps(): readonly GapClass[] | null {
    const known = this.#prepared.last.gaps;
    const { change, version } = this.#source.table;
    if (known === null || known.version === version) return known?.gaps ?? null;
    if (change === null || known.version !== change.from) return null;
    const touched = [...change.gone, ...change.come].some((nodes) => this.#isGap(nodes));
    return touched ? null : known.gaps;
  }

  #isGap(nodes: NumberedSet): boolean {
    return this.#isBlocked(nodes) && sparseSizeOfBoth(nodes, this.#prepared.admitted) > 0;
  }

  #gapAt(nodes: NumberedSet): GapClass | null {
    return this.#isBlocked(nodes) ? this.#gapClass(nodes) : null;
  }

  /** Whether taints keep the workload from the profile's nodes, which could host it. */
  #isBlocked({ number }: NumberedSet): boolean {
    if (this.#outcomes[number] === "tolerated") return false;
    const { host } = this.#source.profiles.profile(number);
    return hostingOf(this.workload.kind, this.os, host) === "hosts";
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

function sum(before: Tally, come: Tally, gone: Tally): Tally {
  return {
    kept: before.kept + come.kept - gone.kept,
    evicted: before.evicted + come.evicted - gone.evicted,
    lacking: before.lacking + come.lacking - gone.lacking,
  };
}

/** Asked for every workload after every change: no lists in between. */
function nonZero(counts: Partial<Record<Verdict, number>>): WorkloadCoverage["counts"] {
  const some: Partial<Record<Verdict, number>> = {};
  for (const verdict of VERDICTS) {
    const count = counts[verdict] ?? 0;
    if (count > 0) some[verdict] = count;
  }
  return some;
}

const VERDICTS = ["run", "fits", "resource", "keep", "evict", "taint", "affinity"] as const;

function podsByNode(pods: readonly ClusterPod[]): ReadonlyMap<string, readonly ClusterPod[]> {
  const groups = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    const group = groups.get(pod.spec.nodeName);
    if (group === undefined) groups.set(pod.spec.nodeName, [pod]);
    else group.push(pod);
  }
  return groups;
}
