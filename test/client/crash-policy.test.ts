// When a crashed server comes back, and when it stays down.
import { describe, expect, it } from "vitest";
import { CRASH_LIMIT, judgeCrash } from "../../client/src/connection/crash-policy.ts";

/** The verdicts on crashes at these seconds. */
function crashesAt(...seconds: readonly number[]): readonly boolean[] {
  let crashes: readonly number[] = [];
  return seconds.map((second) => {
    const verdict = judgeCrash(crashes, second * 1000);
    crashes = verdict.crashes;
    return verdict.restart;
  });
}

describe("a crashed server", () => {
  it("stays down at the fifth crash in three minutes", () => {
    expect(CRASH_LIMIT).toBe(5);
    expect(crashesAt(0, 10, 20, 30, 40)).toEqual([true, true, true, true, false]);
  });

  it("comes back when the crashes are spread over more than three minutes", () => {
    expect(crashesAt(0, 50, 100, 150, 181)).toEqual([true, true, true, true, true]);
  });

  it("comes back after a crash every few days, for ever", () => {
    const day = 86_400;
    expect(crashesAt(...Array.from({ length: 20 }, (_, index) => index * 3 * day))).not.toContain(false);
  });

  it("tells how many crashes it was", () => {
    expect(judgeCrash([0, 1000, 2000, 3000], 4000)).toMatchObject({ restart: false, count: 5 });
  });
});
