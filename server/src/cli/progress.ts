// Command-line layer: a line on stderr that says how far long work is; only on a terminal, only after a while.
import type { Host } from "./host.ts";

export interface Progress {
  /** Tells how far the work is; prints at most ten times a second. */
  readonly report: (text: () => string) => void;
  /** Wipes the line. */
  readonly done: () => void;
}

/** Milliseconds before the first line, and between two. */
const PATIENCE = 500;
const INTERVAL = 100;

/** Back to the start of the line, and nothing on it. */
const WIPE = "\r\u001b[K";

/** Progress on the host's stderr. */
export function progressOn(host: Host): Progress {
  if (!host.stderr.isTerminal) return { report: () => undefined, done: () => undefined };
  let next = host.elapsed() + PATIENCE;
  let shown = false;
  return {
    report: (text) => {
      const now = host.elapsed();
      if (now < next) return;
      next = now + INTERVAL;
      shown = true;
      host.stderr.raw(WIPE);
      host.stderr.write(text().slice(0, Math.max(10, host.stderr.columns - 1)));
    },
    done: () => {
      if (shown) host.stderr.raw(WIPE);
      shown = false;
    },
  };
}
