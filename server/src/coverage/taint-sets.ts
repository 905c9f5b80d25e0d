// Coverage layer: for a list of tolerations the nodes that it is kept off, and how: each kind of taints asked once.
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import { type CompiledPlacement, countingTaints, type PlacementMode } from "../scheduling/place.ts";
import { tolerates } from "../scheduling/tolerates.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import { addTo, emptySet, type NodeSet, removeFrom } from "./node-set.ts";
import type { NodeTable, TableChange } from "./node-table.ts";
import type { ProfileStore } from "./profile-store.ts";

/** The nodes with an untolerated taint, by the worst effect among them. */
export interface Blocked {
  readonly noSchedule: NodeSet;
  readonly noExecute: NodeSet;
}

const TOLERATED = 0;
const NO_SCHEDULE = 1;
const NO_EXECUTE = 2;
type Outcome = typeof TOLERATED | typeof NO_SCHEDULE | typeof NO_EXECUTE;

/** What each kind of node comes to for each list, by profile number; shared by all models of a cluster. */
class OutcomeStore {
  readonly #profiles: ProfileStore;
  readonly #options: SchedulingOptions;
  readonly #known = new Map<string, Outcome[]>();
  readonly #countingTaints = new Map<PlacementMode, (readonly Taint[])[]>();

  constructor(profiles: ProfileStore, options: SchedulingOptions) {
    this.#profiles = profiles;
    this.#options = options;
  }

  /** The outcomes of a list for every profile there is so far. */
  of(key: string, placement: CompiledPlacement): readonly Outcome[] {
    let outcomes = this.#known.get(key);
    if (outcomes === undefined) {
      outcomes = [];
      this.#known.set(key, outcomes);
    }
    if (outcomes.length < this.#profiles.size) {
      const byKey = byKeyOf(placement);
      for (let profile = outcomes.length; profile < this.#profiles.size; profile++) {
        outcomes.push(this.#ask(placement, byKey, profile));
      }
    }
    return outcomes;
  }

  #ask(placement: CompiledPlacement, byKey: TolerationsByKey, id: number): Outcome {
    let outcome: Outcome = TOLERATED;
    for (const taint of this.#counting(placement.mode, id)) {
      if (this.#tolerated(byKey.get("") ?? [], taint) || this.#tolerated(byKey.get(taint.key) ?? [], taint)) continue;
      if (taint.effect === "NoExecute") return NO_EXECUTE;
      outcome = NO_SCHEDULE;
    }
    return outcome;
  }

  #tolerated(tolerations: readonly Toleration[], taint: Taint): boolean {
    for (const toleration of tolerations) {
      if (tolerates(toleration, taint, this.#options)) return true;
    }
    return false;
  }

  #counting(mode: PlacementMode, id: number): readonly Taint[] {
    let byProfile = this.#countingTaints.get(mode);
    if (byProfile === undefined) {
      byProfile = [];
      this.#countingTaints.set(mode, byProfile);
    }
    const taints = byProfile[id] ?? countingTaints(mode, this.#profiles.profile(id));
    byProfile[id] = taints;
    return taints;
  }
}

/** Tolerations by the key that they name; under the empty text those that name none. */
type TolerationsByKey = ReadonlyMap<string, readonly Toleration[]>;

function byKeyOf(placement: CompiledPlacement): TolerationsByKey {
  return Map.groupBy(
    placement.tolerations.map(({ toleration }) => toleration),
    (toleration) => toleration.key,
  );
}

interface KnownList {
  readonly placement: CompiledPlacement;
  readonly blocked: Blocked;
}

export class TaintSets {
  readonly #table: NodeTable;
  readonly #outcomes: OutcomeStore;
  readonly #lists: Map<string, KnownList>;
  #byProfile: ReadonlyMap<number, SparseSet> | null = null;

  constructor(table: NodeTable, outcomes: OutcomeStore, lists: Map<string, KnownList>) {
    this.#table = table;
    this.#outcomes = outcomes;
    this.#lists = lists;
  }

  /** The sets of a table, none made yet. */
  static of(table: NodeTable, profiles: ProfileStore, options: SchedulingOptions): TaintSets {
    return new TaintSets(table, new OutcomeStore(profiles, options), new Map());
  }

  /** The sets of a table in which nodes changed their taints. */
  after(change: TableChange): TaintSets {
    if (change.moved.length === 0) return new TaintSets(change.table, this.#outcomes, new Map(this.#lists));
    const lists = new Map<string, KnownList>();
    for (const [key, { placement, blocked }] of this.#lists) {
      const outcomes = this.#outcomes.of(key, placement);
      // Most lists look at the new taints as they did at the old ones.
      const changed = change.moved.filter(({ from, to }) => outcomes[from] !== outcomes[to]);
      lists.set(
        key,
        changed.length === 0 ? { placement, blocked } : { placement, blocked: moved(blocked, changed, outcomes) },
      );
    }
    return new TaintSets(change.table, this.#outcomes, lists);
  }

  /** Where a list of tolerations is kept off; `key` stands for the list and the way of placing. */
  blocked(key: string, placement: CompiledPlacement): Blocked {
    const known = this.#lists.get(key);
    if (known !== undefined) return known.blocked;
    this.#byProfile ??= setsByProfile(this.#table.profileOf);
    const outcomes = this.#outcomes.of(key, placement);
    const noSchedule = emptySet(this.#table.profileOf.length);
    const noExecute = emptySet(this.#table.profileOf.length);
    for (const [profile, nodes] of this.#byProfile) {
      if (outcomes[profile] === NO_SCHEDULE) addSparse(noSchedule, nodes);
      else if (outcomes[profile] === NO_EXECUTE) addSparse(noExecute, nodes);
    }
    const blocked = { noSchedule, noExecute };
    this.#lists.set(key, { placement, blocked });
    return blocked;
  }
}

function moved(blocked: Blocked, changed: TableChange["moved"], outcomes: readonly Outcome[]): Blocked {
  const noSchedule = blocked.noSchedule.slice();
  const noExecute = blocked.noExecute.slice();
  for (const { node, to } of changed) {
    removeFrom(noSchedule, node);
    removeFrom(noExecute, node);
    if (outcomes[to] === NO_SCHEDULE) addTo(noSchedule, node);
    if (outcomes[to] === NO_EXECUTE) addTo(noExecute, node);
  }
  return { noSchedule, noExecute };
}

/** The words of a set that are not empty, and where they stand. */
interface SparseSet {
  readonly words: readonly number[];
  readonly bits: readonly number[];
}

function addSparse(set: NodeSet, more: SparseSet): void {
  for (let entry = 0; entry < more.words.length; entry++) {
    const word = more.words[entry] ?? 0;
    set[word] = (set[word] ?? 0) | (more.bits[entry] ?? 0);
  }
}

function setsByProfile(profileOf: Int32Array): ReadonlyMap<number, SparseSet> {
  const sets = new Map<number, { words: number[]; bits: number[] }>();
  profileOf.forEach((profile, node) => {
    let set = sets.get(profile);
    if (set === undefined) {
      set = { words: [], bits: [] };
      sets.set(profile, set);
    }
    const word = node >>> 5;
    const last = set.words.length - 1;
    if (set.words[last] === word) set.bits[last] = (set.bits[last] ?? 0) | (1 << (node & 31));
    else {
      set.words.push(word);
      set.bits.push(1 << (node & 31));
    }
  });
  return sets;
}
