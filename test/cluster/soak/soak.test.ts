// Two minutes of the soak; `npm run soak` goes on for twenty.
import { expect, test } from "vitest";
import { growth, runSoak } from "./soak.ts";

test("under churn, cut streams, restarts and compaction the model stays equal to a fresh list, and memory stays flat", async () => {
  const report = await runSoak({ duration: 120_000, interval: 6_000, say: (line) => console.log(line) });
  // Fewer could not tell the first third from the last.
  expect(report.usages.length).toBeGreaterThanOrEqual(2);
  expect(growth(report.usages)).toEqual([]);
  expect(Object.entries(report.faults).filter(([, times]) => times === 0)).toEqual([]);
});
