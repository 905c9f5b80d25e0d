// Whatever a node writes: nothing throws, a report stays short, and a mask leaves nothing for a second one.
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeNodeStats } from "../../../server/src/kube/decode/node-stats.ts";
import { foldLog } from "../../../server/src/triage/on-node/fold-log.ts";
import { judgeStats } from "../../../server/src/triage/on-node/judge-stats.ts";
import { LOG_KINDS } from "../../../server/src/triage/on-node/log-kinds.ts";
import { readLogLines } from "../../../server/src/triage/on-node/log-line.ts";
import { maskSecrets } from "../../../server/src/triage/on-node/mask-secrets.ts";

const NOW = Date.parse("2026-04-14T10:00:59Z");
/** Pieces that lines are made of, so that some of them look like ones. */
const piece = fc.constantFrom(
  ...["Apr 14 10:00:00 ", "n1 kubelet[1]: ", "E0414 10:00:00.1  1 x.go:1] ", 'level=error msg="', 'err="', '"', "\\"],
  ...[
    "{",
    "}",
    "  ",
    "csi ",
    "PLEG is not healthy",
    "token=",
    "Bearer ",
    "eyJabcdefgh.x.y",
    "password",
    "\u0007",
    "\n",
  ],
);
const line = fc.array(fc.oneof(piece, fc.string({ maxLength: 12 }))).map((words) => words.join(""));

it("a log of anything is folded into a few entries, each line counted at most once", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const read = readLogLines(lines, NOW);
      const { groups, others } = foldLog(read);
      const counted = [...groups, ...others].reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBeLessThanOrEqual(read.length);
      expect(groups.length).toBeLessThanOrEqual(LOG_KINDS.length);
      expect(groups.every(({ messages }) => messages.length <= 2)).toBe(true);
      expect(others.length).toBeLessThanOrEqual(5);
    }),
  );
});

it("what is masked once has nothing left to mask", () => {
  fc.assert(
    fc.property(line, (text) => {
      const masked = maskSecrets(text);
      expect(maskSecrets(masked)).toBe(masked);
    }),
  );
});

it("a summary of anything is judged, or is none", () => {
  const summary = fc.record({
    node: fc.dictionary(fc.constantFrom("memory", "fs", "runtime", "rlimit", "io"), fc.jsonValue()),
  });
  fc.assert(
    fc.property(fc.oneof(summary, fc.jsonValue()), (value) => {
      const stats = decodeNodeStats(value);
      if (stats === null) return;
      const around = { operatingSystem: "", pressures: [], clockAhead: null, now: NOW };
      expect(judgeStats(stats, around).found).toEqual([]);
    }),
  );
});
