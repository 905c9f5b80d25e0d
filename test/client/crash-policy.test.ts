// When a crashed server comes back, and when it stays down.
import { describe, expect, it } from "vitest";
import { CRASH_LIMIT, type Crash, judgeCrash } from "../../client/src/connection/crash-policy.ts";

/** The verdicts on crashes at these seconds. */
function crashesAt(...seconds: readonly number[]): readonly boolean[] {
  let crashes: readonly Crash[] = [];
  return seconds.map((second) => {
    const verdict = judgeCrash(crashes, { at: second * 1000, suspect: null });
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
    const earlier = [0, 1000, 2000, 3000].map((at) => ({ at, suspect: null }));
    expect(judgeCrash(earlier, { at: 4000, suspect: null })).toMatchObject({ restart: false, count: 5 });
  });
});

describe("the document at hand", () => {
  /** Which document is kept from the server after each crash, ten seconds apart, with these at hand. */
  function quarantines(...suspects: readonly (string | null)[]): readonly (string | null)[] {
    let crashes: readonly Crash[] = [];
    return suspects.map((suspect, index) => {
      const verdict = judgeCrash(crashes, { at: index * 10_000, suspect });
      crashes = verdict.crashes;
      return verdict.quarantine;
    });
  }

  it("is left out at the third crash in a row", () => {
    expect(quarantines("a.yaml", "a.yaml", "a.yaml")).toEqual([null, null, "a.yaml"]);
  });

  it("is left out again at once when the server ends over it once more", () => {
    expect(quarantines("a.yaml", "a.yaml", "a.yaml", "a.yaml")).toEqual([null, null, "a.yaml", "a.yaml"]);
  });

  it("is no cause where it was another one each time, or none", () => {
    expect(quarantines("a.yaml", "b.yaml", "a.yaml", "b.yaml")).toEqual([null, null, null, null]);
    expect(quarantines(null, null, null)).toEqual([null, null, null]);
  });

  it("is no cause of crashes that lie far apart", () => {
    const crashes = [0, 100_000].map((at) => ({ at, suspect: "a.yaml" }));
    expect(judgeCrash(crashes, { at: 200_000, suspect: "a.yaml" }).quarantine).toBeNull();
  });
});
