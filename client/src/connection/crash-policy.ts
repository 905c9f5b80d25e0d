// Client: when a crashed server is started again. Pure; the clock is an input.

/** Crashes within the window after which the server stays down until a person asks for it. */
export const CRASH_LIMIT = 5;
/** Milliseconds: three minutes. */
export const CRASH_WINDOW = 3 * 60 * 1000;

export interface CrashVerdict {
  readonly restart: boolean;
  /** Crashes within the window, this one included. */
  readonly count: number;
  /** What to remember for the next crash. */
  readonly crashes: readonly number[];
}

/**
 * Judges a crash at `now` (milliseconds) after earlier ones. A crash every few days never adds up: what lies before the
 * window is forgotten.
 */
export function judgeCrash(earlier: readonly number[], now: number): CrashVerdict {
  const crashes = [...earlier.filter((at) => now - at < CRASH_WINDOW), now];
  return { restart: crashes.length < CRASH_LIMIT, count: crashes.length, crashes };
}
