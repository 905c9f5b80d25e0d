// Coverage layer: a workload's coverage put together from the rows and cells of an index. Names, placements and pods
// are gathered only when they are asked for.
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";
import { type PlacementMode, placeCompiled } from "../scheduling/place.ts";
import type { Placement, SchedulingOptions, Verdict } from "../scheduling/verdict.ts";
import { hostingOf, statedOs } from "./hosting.ts";
import { type IdentityIndex, type LiveMatch, matchLive, runningPods } from "./identity.ts";
import type { NodeTable } from "./node-table.ts";
import type { Cell, Partition, Row } from "./partition.ts";
import type { PreparedWorkload } from "./prepared-workload.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { TaintOutcome, TaintVerdicts } from "./taint-verdicts.ts";
import type { CoverageClass, TimeBomb, WorkloadCoverage } from "./workload-coverage.ts";

/** What an answer reads of the index that gives it. */
export interface CoverageSource {
  readonly table: NodeTable;
  readonly profiles: ProfileStore;
  readonly verdicts: TaintVerdicts;
  readonly identities: IdentityIndex;
  readonly options: { readonly scheduling: SchedulingOptions };
  readonly partition: (prepared: PreparedWorkload) => Partition;
  readonly placeOf: (node: string) => number | null;
}

/** Verdicts by which taints keep a workload off a node that it is meant for. */
const BLOCKED: ReadonlySet<Verdict> = new Set(["keep", "evict", "taint"]);

/** Answers for a workload from an index and what the index has prepared for it. */
export function answerCoverage(
  workload: Workload,
  prepared: PreparedWorkload,
  index: CoverageSource,
): WorkloadCoverage {
  return new Answer(workload, prepared, index);
}

interface CellVerdict {
  readonly cell: Cell;
  readonly verdict: Verdict;
}

class Answer implements WorkloadCoverage {
  readonly workload: Workload;
  readonly #prepared: PreparedWorkload;
  readonly #index: CoverageSource;
  readonly #rows: readonly Row[];
  #os: string | null | undefined;
  #live: LiveMatch | null = null;
  #counts: Partial<Record<Verdict, number>> | null = null;
  #blocked: readonly CellVerdict[] = [];
  #classes: readonly CoverageClass[] | null = null;
  #gaps: readonly CoverageClass[] | null = null;
  #pods: ReadonlyMap<string, readonly ClusterPod[]> | null | undefined;

  constructor(workload: Workload, prepared: PreparedWorkload, index: CoverageSource) {
    this.workload = workload;
    this.#prepared = prepared;
    this.#index = index;
    this.#rows = index.partition(prepared).rows;
  }

  get os(): string | null {
    if (this.#os === undefined) this.#os = statedOs(this.workload.template);
    return this.#os;
  }

  get live(): LiveMatch {
    this.#live ??= matchLive(this.workload, this.#index.identities);
    return this.#live;
  }

  get counts(): Readonly<Partial<Record<Verdict, number>>> {
    this.#counts ??= this.#count();
    return this.#counts;
  }

  get classes(): readonly CoverageClass[] {
    this.#classes ??= [...this.#cells()].map(({ cell, verdict }) => this.#classOf(cell, verdict));
    return this.#classes;
  }

  get gaps(): readonly CoverageClass[] {
    if (this.#gaps === null) {
      this.#counts ??= this.#count();
      this.#gaps = this.#blocked
        .map(({ cell, verdict }) => this.#classOf(cell, verdict))
        .filter((entry) => entry.hosting === "hosts");
    }
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
    const place = this.#index.placeOf(name);
    const node = place === null ? undefined : this.#index.table.nodes[place];
    if (node === undefined) return null;
    return placeCompiled(this.#prepared.placement, node, this.#index.options.scheduling);
  };

  readonly running = (name: string): boolean | null => {
    const pods = this.#podsByNode();
    return pods === null ? null : pods.has(name);
  };

  readonly podsOn = (name: string): readonly ClusterPod[] => this.#podsByNode()?.get(name) ?? [];

  #podsByNode(): ReadonlyMap<string, readonly ClusterPod[]> | null {
    if (this.#pods === undefined) {
      const live = this.live;
      const pods = live.state === "matched" ? runningPods(live.workload, this.#index.identities) : null;
      this.#pods = pods === null ? null : Map.groupBy(pods, (pod) => pod.spec.nodeName);
    }
    return this.#pods;
  }

  /** Counts without looking into rows that are not admitted, and keeps the cells that taints block. */
  #count(): Partial<Record<Verdict, number>> {
    const counts: Partial<Record<Verdict, number>> = {};
    const blocked: CellVerdict[] = [];
    const outcome = this.#outcomes();
    this.#rows.forEach((row, place) => {
      if (this.#prepared.admitted[place] === 0) {
        counts.affinity = (counts.affinity ?? 0) + row.size;
        return;
      }
      for (const cell of row.cells) {
        const verdict = this.#verdict(outcome(cell.profile), place);
        counts[verdict] = (counts[verdict] ?? 0) + cell.members.length;
        if (BLOCKED.has(verdict)) blocked.push({ cell, verdict });
      }
    });
    this.#blocked = blocked;
    return counts;
  }

  *#cells(): Generator<CellVerdict> {
    const outcome = this.#outcomes();
    for (const [place, row] of this.#rows.entries()) {
      const admitted = this.#prepared.admitted[place] === 1;
      for (const cell of row.cells) {
        yield { cell, verdict: admitted ? this.#verdict(outcome(cell.profile), place) : "affinity" };
      }
    }
  }

  #outcomes(): (profile: number) => TaintOutcome {
    return this.#index.verdicts.of(this.#prepared.tolerationsKey, this.#prepared.placement);
  }

  #verdict(outcome: TaintOutcome, row: number): Verdict {
    const mode: PlacementMode = this.#prepared.placement.mode;
    if (mode === "daemonset") {
      if (outcome === "tolerated") return "run";
      return outcome === "NoExecute" ? "evict" : "keep";
    }
    if (outcome !== "tolerated") return "taint";
    return this.#prepared.short[row] === 1 ? "resource" : "fits";
  }

  #classOf(cell: Cell, verdict: Verdict): CoverageClass {
    const { table, profiles, options } = this.#index;
    const nodes: string[] = [];
    const pools: string[] = [];
    for (const member of cell.members) {
      const node = table.nodes[member];
      if (node === undefined) continue;
      if (node.pool === null) nodes.push(node.name);
      else pools.push(node.pool);
    }
    return new LazyClass(
      verdict,
      nodes,
      pools,
      profiles.profile(cell.profile).host,
      this.workload.kind,
      this.os,
      () => {
        const first = table.nodes[cell.members[0] ?? 0];
        if (first === undefined) throw new Error("a class without nodes");
        return placeCompiled(this.#prepared.placement, first, options.scheduling);
      },
    );
  }
}

class LazyClass implements CoverageClass {
  readonly verdict: Verdict;
  readonly nodes: readonly string[];
  readonly pools: readonly string[];
  readonly host: CoverageClass["host"];
  readonly hosting: CoverageClass["hosting"];
  readonly #place: () => Placement;
  #placement: Placement | null = null;

  constructor(
    verdict: Verdict,
    nodes: readonly string[],
    pools: readonly string[],
    host: CoverageClass["host"],
    kind: string,
    os: string | null,
    place: () => Placement,
  ) {
    this.verdict = verdict;
    this.nodes = nodes;
    this.pools = pools;
    this.host = host;
    this.hosting = hostingOf(kind, os, host);
    this.#place = place;
  }

  get placement(): Placement {
    this.#placement ??= this.#place();
    return this.#placement;
  }
}
