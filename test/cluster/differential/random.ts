// Seeded random numbers: the same seed makes the same clusters.

/** Draws from a stream that the seed decides (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Up to `most` different items. */
  some<T>(items: readonly T[], most: number): T[] {
    const pool = [...items];
    const picked: T[] = [];
    for (let left = this.below(most + 1); left > 0 && pool.length > 0; left -= 1) {
      picked.push(...pool.splice(this.below(pool.length), 1));
    }
    return picked;
  }
}
