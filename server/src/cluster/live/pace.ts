// Live cluster: how often models are given out.

/** Of the time, models may take a fifth: the rest belongs to whoever asks. */
const REST = 4;
/** Milliseconds; a change is seen within about a second, whatever it costs to look at it. */
const LONGEST = 1_000;

/** Lets whoever gets the models decide the pace: who takes long over one gets the next one later. */
export class Pace {
  readonly #shortest: number;
  #took = 0;

  /** `shortest` is milliseconds between two models that cost nothing. */
  constructor(shortest: number) {
    this.#shortest = shortest;
  }

  /** Milliseconds to collect changes before the next model. */
  get pause(): number {
    return Math.max(this.#shortest, Math.min(LONGEST, this.#took * REST));
  }

  /** Gives a model out and notes how long the process is busy with it. */
  give(handOut: () => void): void {
    const started = performance.now();
    handOut();
    setImmediate(() => {
      this.#took = performance.now() - started;
    });
  }
}
