// Client: when a view is drawn again: at most twice a second, never while nobody sees it. Pure but for its timer.

/** Milliseconds between two refreshes. */
export const REFRESH_EVERY = 500;

export interface GateClock {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => { readonly cancel: () => void };
}

/** Lets changes through one at a time; what comes in between is one change. */
export class RefreshGate {
  readonly #refresh: () => void;
  readonly #clock: GateClock;
  #visible = false;
  #wanted = false;
  #last = Number.NEGATIVE_INFINITY;
  #timer: { readonly cancel: () => void } | null = null;

  constructor(refresh: () => void, clock: GateClock) {
    this.#refresh = refresh;
    this.#clock = clock;
  }

  /** Something changed. */
  change(): void {
    this.#wanted = true;
    this.#next();
  }

  /** A view that is shown again is drawn once if anything changed meanwhile. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#next();
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#visible = false;
  }

  #next(): void {
    if (!this.#wanted || !this.#visible || this.#timer !== null) return;
    const wait = this.#last + REFRESH_EVERY - this.#clock.now();
    if (wait > 0) {
      this.#timer = this.#clock.later(() => {
        this.#timer = null;
        this.#next();
      }, wait);
      return;
    }
    this.#wanted = false;
    this.#last = this.#clock.now();
    this.#refresh();
  }
}
