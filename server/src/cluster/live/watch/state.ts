// Live cluster, watching: what a resource's reflector is doing, for people. Types only.

export type ReflectorPhase =
  | "listing"
  | "watching"
  /** Between two attempts; `nextAttempt` says when. */
  | "waiting"
  /** The server expires every version at once: full lists at a slow interval. */
  | "polling"
  | "forbidden"
  /** The API group or kind is not served here. */
  | "not-served"
  | "sign-in-needed"
  | "stopped";

export interface ReflectorState {
  readonly phase: ReflectorPhase;
  /** Milliseconds of the last bytes or list that proved the data fresh; null before the first list. */
  readonly asOf: number | null;
  /** Whether a whole list was read since the start: what is held is complete as of `asOf`. */
  readonly synced: boolean;
  /** The last failure in a sentence; empty when all is well. */
  readonly problem: string;
  /** The last failure was that nobody answered: whoever reaches the server again speaks for this resource too. */
  readonly unreachable: boolean;
  /** Milliseconds of the next attempt; null when none is planned. */
  readonly nextAttempt: number | null;
}

export const INITIAL_STATE: ReflectorState = {
  phase: "stopped",
  asOf: null,
  synced: false,
  problem: "",
  unreachable: false,
  nextAttempt: null,
};
