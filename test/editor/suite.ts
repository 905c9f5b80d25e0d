// A small test runner for the editor: tests of a suite run in order and share one editor, which vitest has no use for.

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

export interface Suite {
  /** Runs `body` as a named step; a failure is printed and the next step runs all the same. */
  test(name: string, body: () => Promise<void>): Promise<void>;
  readonly outcome: Outcome;
}

/** Milliseconds that one test may take. */
const LIMIT = 90_000;

/** A suite whose failures call `onFailure` (for a picture of the editor). */
export function makeSuite(title: string, onFailure: (test: string) => Promise<void>): Suite {
  const counts = { passed: 0, failed: 0 };
  console.log(`\n${title}`);
  return {
    outcome: counts,
    test: async (name, body) => {
      const begun = performance.now();
      const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      try {
        await inTime(body());
        counts.passed++;
        console.log(`  ✓ ${name} (${seconds()})`);
      } catch (error) {
        counts.failed++;
        console.log(`  ✗ ${name} (${seconds()})`);
        console.log(indent(error instanceof Error ? (error.stack ?? error.message) : String(error)));
        await onFailure(name).catch((problem: unknown) => console.log(indent(`no picture: ${problem}`)));
      }
    },
  };
}

const indent = (text: string) => text.replaceAll(/^/gm, "      ");

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT / 1000} s`)), LIMIT);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
