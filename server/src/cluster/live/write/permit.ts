// Live cluster, writing: leave to change a cluster. Whoever sends something that changes one must show it, and it is
// looked at again just before: a setting that was switched off in between, or trust that was never given, ends it.

export class ChangePermit {
  readonly #holds: () => boolean;

  /** `holds` says whether changes are allowed at this moment. */
  constructor(holds: () => boolean) {
    this.#holds = holds;
  }

  get holds(): boolean {
    return this.#holds();
  }
}

/** What is said where the permit does not hold (any more). */
export const NOT_PERMITTED = "Changing clusters is not allowed: taintwise.cluster.allowChanges is off.";
