// LSP layer: waiting until typing pauses.

/** Runs the newest of several calls for a key once no further one came for `delay` milliseconds. */
export class Debouncer {
  readonly #delay: number;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(delay: number) {
    this.#delay = delay;
  }

  run(key: string, action: () => void): void {
    this.cancel(key);
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        action();
      }, this.#delay),
    );
  }

  cancel(key: string): void {
    const timer = this.#timers.get(key);
    if (timer !== undefined) clearTimeout(timer);
    this.#timers.delete(key);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
