// Live cluster, credentials: one run for everybody who waits. It belongs to none of them: one that gives up leaves the
// others their answer, and only when nobody waits any longer the run is ended.

export class SharedRun<T> {
  readonly #abort = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  /** Starts `run` at once; its signal is aborted when everybody gave up. */
  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.#result = run(this.#abort.signal);
    // Everybody may have given up before it fails.
    this.#result.catch(() => undefined);
  }

  /** Whether the run was given up: its result is worth nothing to who comes now. */
  get abandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Settles when the run is done. */
  get settled(): Promise<unknown> {
    return this.#result.catch(() => undefined);
  }

  /** Waits for the result; rejects with the signal's reason when it is aborted. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#abort.abort();
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }
}
