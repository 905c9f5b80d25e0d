// Client: when a crashed server is started again, and which document is kept from it. Pure; the clock is an input.

/** Crashes within the window after which the server stays down until a person asks for it. */
export const CRASH_LIMIT = 5;
/** Milliseconds: three minutes. */
const CRASH_WINDOW = 3 * 60 * 1000;
/** Crashes in a row with the same document at hand after which that document is taken for the cause. */
const QUARANTINE_AFTER = 3;

export interface Crash {
  /** Milliseconds. */
  readonly at: number;
  /** URI of the document that was opened or edited last; null when there was none. */
  readonly suspect: string | null;
}

export interface CrashVerdict {
  readonly restart: boolean;
  /** Crashes within the window, this one included. */
  readonly count: number;
  /** The document that the next process must not read; null when none stands out. */
  readonly quarantine: string | null;
  /** What to remember for the next crash. */
  readonly crashes: readonly Crash[];
}

/**
 * Judges a crash after earlier ones. A crash every few days never adds up: what lies before the window is forgotten.
 */
export function judgeCrash(earlier: readonly Crash[], crash: Crash): CrashVerdict {
  const crashes = [...earlier.filter(({ at }) => crash.at - at < CRASH_WINDOW), crash];
  const last = crashes.slice(-QUARANTINE_AFTER);
  const same = last.length === QUARANTINE_AFTER && last.every(({ suspect }) => suspect === crash.suspect);
  const restart = crashes.length < CRASH_LIMIT;
  return { restart, count: crashes.length, quarantine: restart && same ? crash.suspect : null, crashes };
}
