// Coverage layer: for a list of tolerations what the taints of each kind of node come to, each asked once.
import { type CompiledPlacement, countingTaints } from "../scheduling/place.ts";
import { anyTolerates } from "../scheduling/tolerates.ts";
import type { SchedulingOptions } from "../scheduling/verdict.ts";
import type { ProfileStore } from "./profile-store.ts";

/** What a profile's taints come to: all that count are tolerated, else the worst effect that is not. */
export type TaintOutcome = "tolerated" | "NoSchedule" | "NoExecute";

export class TaintVerdicts {
  readonly #profiles: ProfileStore;
  readonly #options: SchedulingOptions;
  readonly #outcomes = new Map<string, (TaintOutcome | undefined)[]>();

  constructor(profiles: ProfileStore, options: SchedulingOptions) {
    this.#profiles = profiles;
    this.#options = options;
  }

  /** The answers for one list of tolerations, by profile number; `key` stands for the list and the way of placing. */
  of(key: string, placement: CompiledPlacement): (profile: number) => TaintOutcome {
    let outcomes = this.#outcomes.get(key);
    if (outcomes === undefined) {
      outcomes = [];
      this.#outcomes.set(key, outcomes);
    }
    const known = outcomes;
    return (profile) => {
      const outcome = known[profile] ?? this.#ask(placement, profile);
      known[profile] = outcome;
      return outcome;
    };
  }

  #ask(placement: CompiledPlacement, id: number): TaintOutcome {
    const tolerations = placement.tolerations.map(({ toleration }) => toleration);
    let outcome: TaintOutcome = "tolerated";
    for (const taint of countingTaints(placement.mode, this.#profiles.profile(id))) {
      if (anyTolerates(tolerations, taint, this.#options)) continue;
      if (taint.effect === "NoExecute") return "NoExecute";
      outcome = "NoSchedule";
    }
    return outcome;
  }
}
