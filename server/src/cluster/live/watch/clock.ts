// Live cluster, watching: time as an input, so that tests can own it.

export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Resolves after `milliseconds`, or at once when `signal` is aborted; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}

/** Milliseconds; about 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      // A longer timer of Node ends at once.
      const timer = setTimeout(finish, Math.min(milliseconds, LONGEST_TIMER));
      signal.addEventListener("abort", finish);
    }),
};
