// Live cluster, watching: one server's plea to slow down holds for every resource of the cluster.
import type { Clock } from "./clock.ts";

/** Milliseconds over which those who waited set out again. */
const SPREAD = 1_000;

export class BusyGate {
  readonly #clock: Clock;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nobody passes for so many milliseconds. */
  hold(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#clock.now() + milliseconds);
  }

  /** Resolves when the server may be asked, or `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    for (let left = this.#until - this.#clock.now(); left > 0 && !signal.aborted; ) {
      await this.#clock.sleep(left + SPREAD * this.#clock.random(), signal);
      left = this.#until - this.#clock.now();
    }
  }
}
