// Live cluster, watching: how long to wait before the next attempt.

/** Full jitter between 0 and a ceiling that doubles from 1 s to 60 s; one per resource. */
export class Backoff {
  readonly #random: () => number;
  readonly #first: number;
  readonly #last: number;
  #attempts = 0;

  /** `random` yields numbers in [0, 1); `first` and `last` are milliseconds. */
  constructor(random: () => number, first = 1000, last = 60_000) {
    this.#random = random;
    this.#first = first;
    this.#last = last;
  }

  /** Milliseconds to wait now; each call is one more attempt. Never below a tenth of the ceiling: no storm. */
  next(): number {
    const ceiling = Math.min(this.#last, this.#first * 2 ** this.#attempts);
    this.#attempts += 1;
    return Math.round(ceiling * (0.1 + 0.9 * this.#random()));
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** Called when a stream has lived long enough to count as healthy. */
  reset(): void {
    this.#attempts = 0;
  }
}

/** No server is left alone for longer, whatever it asks for: milliseconds. */
const LONGEST_WAIT = 600_000;

/**
 * Milliseconds a server asks to wait, ten minutes at most; null when the header is missing or unreadable.
 * `header` is Retry-After: seconds or an HTTP date; `now` is milliseconds since the epoch.
 */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined || header.trim() === "") return null;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header.trim()) * 1000, LONGEST_WAIT);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), LONGEST_WAIT);
}
