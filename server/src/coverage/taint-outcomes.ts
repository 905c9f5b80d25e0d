// Coverage layer: for a list of tolerations what each kind of taints comes to, each asked once. It knows profiles by
// number and no nodes, and so holds for all models of a cluster.
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import { type CompiledPlacement, countingTaints, type PlacementMode } from "../scheduling/place.ts";
import { tolerates } from "../scheduling/tolerates.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import type { ProfileStore } from "./profile-store.ts";

/** What a node's taints come to: all that count are tolerated, else the worst effect among the others. */
export type Outcome = "tolerated" | "NoSchedule" | "NoExecute";

/** Tolerations by the key that they name; under the empty text those that name none. */
type TolerationsByKey = ReadonlyMap<string, readonly Toleration[]>;

interface KnownOutcomes {
  readonly byKey: TolerationsByKey;
  readonly outcomes: Outcome[];
}

/** Outcomes by list of tolerations, one for each profile of nodes, each worked out once. */
export class TaintOutcomes {
  readonly #profiles: ProfileStore;
  readonly #options: SchedulingOptions;
  readonly #known = new Map<string, KnownOutcomes>();
  readonly #countingTaints = new Map<PlacementMode, (readonly Taint[])[]>();

  constructor(profiles: ProfileStore, options: SchedulingOptions) {
    this.#profiles = profiles;
    this.#options = options;
  }

  /** The outcomes by profile number, for every profile there is so far; `key` is the placement's `tolerationsKey`. */
  of(key: string, placement: CompiledPlacement): readonly Outcome[] {
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { byKey: tolerationsByKey(placement), outcomes: [] };
      if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
      this.#known.set(key, known);
    }
    this.#extend(known, placement);
    return known.outcomes;
  }

  /** Asks about the profiles that came after the list was made. */
  #extend({ byKey, outcomes }: KnownOutcomes, placement: CompiledPlacement): void {
    for (let profile = outcomes.length; profile < this.#profiles.size; profile++) {
      outcomes.push(this.#ask(placement, byKey, profile));
    }
  }

  #ask(placement: CompiledPlacement, byKey: TolerationsByKey, id: number): Outcome {
    let outcome: Outcome = "tolerated";
    for (const taint of this.#counting(placement.mode, id)) {
      if (this.#tolerated(byKey.get("") ?? [], taint) || this.#tolerated(byKey.get(taint.key) ?? [], taint)) continue;
      if (taint.effect === "NoExecute") return "NoExecute";
      outcome = "NoSchedule";
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

function tolerationsByKey(placement: CompiledPlacement): TolerationsByKey {
  const byKey = new Map<string, Toleration[]>();
  for (const { toleration } of placement.tolerations) {
    const list = byKey.get(toleration.key);
    if (list === undefined) byKey.set(toleration.key, [toleration]);
    else list.push(toleration);
  }
  return byKey;
}

/** An editor asks about every state of a list that is being typed; the memory of them is bounded. */
const MOST_REMEMBERED = 4096;

/** Equal keys: the same taints are tolerated, in the same way of placing. */
export function tolerationsKey(placement: CompiledPlacement): string {
  let key: string = placement.mode;
  for (const { toleration: one } of placement.tolerations) {
    // Seconds do not count: how long a taint is tolerated says nothing of whether it is.
    key += `\n${one.key}\0${one.operator}\0${one.value}\0${one.effect}`;
  }
  return key;
}
