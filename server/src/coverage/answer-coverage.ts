// Coverage layer: a workload's coverage put together from sets of nodes. Names, placements and pods are gathered only
// when they are asked for.
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";
import { type CompiledPlacement, placeCompiled } from "../scheduling/place.ts";
import type { Placement, SchedulingOptions, Verdict } from "../scheduling/verdict.ts";
import type { GapStore } from "./gap-groups.ts";
import { hostingOf, type NodeHost } from "./hosting.ts";
import { type IdentityIndex, type LiveMatch, matchLive, runningPods } from "./identity.ts";
import type { LabelStore } from "./label-store.ts";
import { classesOf } from "./node-classes.ts";
import { both, either, has, type NodeSet, size, sizeOfBoth, without } from "./node-set.ts";
import type { NodeTable } from "./node-table.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { Blocked, TaintSets } from "./taint-sets.ts";
import type { CoverageClass, TimeBomb, WorkloadCoverage } from "./workload-coverage.ts";

/** A workload's rules, read once against the labels of a cluster's nodes. */
export interface PreparedWorkload {
  readonly placement: CompiledPlacement;
  readonly admitted: NodeSet;
  /** Nodes that could never give what is requested; null: none. */
  readonly short: NodeSet | null;
  /** Stands for the tolerations and the way of placing. */
  readonly tolerationsKey: string;
  /** The operating system the workload states. */
  readonly os: string | null;
}

/** What an answer reads of the index that gives it. */
export interface CoverageSource {
  readonly table: NodeTable;
  readonly labels: LabelStore;
  readonly profiles: ProfileStore;
  readonly taints: TaintSets;
  readonly gaps: GapStore;
  readonly identities: IdentityIndex;
  readonly options: { readonly scheduling: SchedulingOptions };
  /** Classes of gaps by the list of nodes that they were made of: a change elsewhere leaves both as they are. */
  readonly gapClasses: WeakMap<readonly number[], CoverageClass>;
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
  readonly #blocked: Blocked;
  #live: LiveMatch | null = null;
  #counts: WorkloadCoverage["counts"] | null = null;
  #classes: readonly CoverageClass[] | null = null;
  #gaps: readonly CoverageClass[] | null = null;
  #pods: ReadonlyMap<string, readonly ClusterPod[]> | null | undefined;

  constructor(workload: Workload, prepared: PreparedWorkload, source: CoverageSource) {
    this.workload = workload;
    this.#prepared = prepared;
    this.#source = source;
    this.#blocked = source.taints.blocked(prepared.tolerationsKey, prepared.placement);
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
    const { table, labels } = this.#source;
    this.#classes ??= classesOf(this.#prepared.placement.spec, table, labels).map((members) => this.#classOf(members));
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
    const { admitted, placement, short } = this.#prepared;
    const { noSchedule, noExecute } = this.#blocked;
    const kept = sizeOfBoth(admitted, noSchedule);
    const evicted = sizeOfBoth(admitted, noExecute);
    const meant = size(admitted);
    const free = meant - kept - evicted;
    const affinity = this.#source.table.nodes.length - meant;
    if (placement.mode === "daemonset") return nonZero({ run: free, keep: kept, evict: evicted, affinity });
    const lacking = short === null ? 0 : size(without(both(admitted, short), either(noSchedule, noExecute)));
    return nonZero({ fits: free - lacking, resource: lacking, taint: kept + evicted, affinity });
  }

  /** Blocked nodes that are admitted, by profile (selectors do not matter any more), those that are short apart. */
  #findGaps(): readonly CoverageClass[] {
    const { ranks } = this.#source.table;
    const groups = [...this.#source.gaps.of(this.#prepared, this.#blocked)];
    groups.sort(([, a], [, b]) => (ranks[a[0] ?? 0] ?? 0) - (ranks[b[0] ?? 0] ?? 0));
    const gaps: CoverageClass[] = [];
    for (const [profile, members] of groups) {
      const { host } = this.#source.profiles.profile(profile);
      if (hostingOf(this.workload.kind, this.os, host) === "hosts") gaps.push(...this.#gapsOf(members));
    }
    return gaps;
  }

  #gapsOf(members: readonly number[]): readonly CoverageClass[] {
    const { short } = this.#prepared;
    if (short !== null) {
      const parts = [members.filter((node) => !has(short, node)), members.filter((node) => has(short, node))];
      return parts.filter((part) => part.length > 0).map((part) => this.#classOf(part));
    }
    let known = this.#source.gapClasses.get(members);
    if (known === undefined) {
      known = this.#classOf(members);
      this.#source.gapClasses.set(members, known);
    }
    return [known];
  }

  #verdictOf(node: number): Verdict {
    const { admitted, placement, short } = this.#prepared;
    const evicted = has(this.#blocked.noExecute, node);
    const blocked = evicted || has(this.#blocked.noSchedule, node);
    if (!has(admitted, node)) return "affinity";
    if (placement.mode === "daemonset") return evicted ? "evict" : blocked ? "keep" : "run";
    if (blocked) return "taint";
    return short !== null && has(short, node) ? "resource" : "fits";
  }

  #classOf(members: readonly number[]): CoverageClass {
    const { table, profiles } = this.#source;
    const first = members[0] ?? 0;
    const { host } = profiles.profile(table.profileOf[first] ?? 0);
    return new LazyClass({
      verdict: this.#verdictOf(first),
      members,
      host,
      hosting: hostingOf(this.workload.kind, this.os, host),
      table,
      place: () => {
        const node = table.nodes[first];
        if (node === undefined) throw new Error("a class without nodes");
        return placeCompiled(this.#prepared.placement, node, this.#source.options.scheduling);
      },
    });
  }
}

function nonZero(counts: Partial<Record<Verdict, number>>): WorkloadCoverage["counts"] {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

interface ClassParts extends Pick<CoverageClass, "verdict" | "host" | "hosting"> {
  readonly members: readonly number[];
  readonly table: NodeTable;
  readonly place: () => Placement;
}

class LazyClass implements CoverageClass {
  readonly #parts: ClassParts;
  #nodes: readonly string[] | null = null;
  #placement: Placement | null = null;

  constructor(parts: ClassParts) {
    this.#parts = parts;
  }

  get verdict(): Verdict {
    return this.#parts.verdict;
  }

  get host(): CoverageClass["host"] {
    return this.#parts.host;
  }

  get hosting(): CoverageClass["hosting"] {
    return this.#parts.hosting;
  }

  get nodes(): readonly string[] {
    this.#nodes ??= this.#names(
      (pool) => pool === null,
      (node) => node.name,
    );
    return this.#nodes;
  }

  get pools(): readonly string[] {
    return this.#names(
      (pool) => pool !== null,
      (node) => node.pool ?? "",
    );
  }

  get placement(): Placement {
    this.#placement ??= this.#parts.place();
    return this.#placement;
  }

  #names(
    wanted: (pool: string | null) => boolean,
    nameOf: (node: NodeTable["nodes"][number]) => string,
  ): readonly string[] {
    const names: string[] = [];
    for (const member of this.#parts.members) {
      const node = this.#parts.table.nodes[member];
      if (node !== undefined && wanted(node.pool)) names.push(nameOf(node));
    }
    return names;
  }
}

/** Not Map.groupBy: Node 20 lacks it. */
function podsByNode(pods: readonly ClusterPod[]): ReadonlyMap<string, readonly ClusterPod[]> {
  const groups = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    const group = groups.get(pod.spec.nodeName);
    if (group === undefined) groups.set(pod.spec.nodeName, [pod]);
    else group.push(pod);
  }
  return groups;
}
