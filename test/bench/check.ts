// Bench: a cold `check` of a corpus of real manifests, as a whole process, beside the floor of the same run.
import { corpusFiles, corpusFolder } from "../corpus/files.ts";
import { type ProcessRun, runNode } from "./cli.ts";
import type { BenchRow } from "./row.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const FLOOR = new URL("./check-floor.ts", import.meta.url).pathname;
const RUNS = 3;
const MIB = 2 ** 20;

/** The fastest of a few runs: whatever else the machine does only adds. */
async function fastest(args: readonly string[], allowed: readonly number[]): Promise<ProcessRun> {
  const runs: ProcessRun[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const result = await runNode(args);
    if (result.status === null || !allowed.includes(result.status)) {
      throw new Error(`node ${args.join(" ")} ended with ${result.status}`);
    }
    runs.push(result);
  }
  return runs.reduce((best, each) => (each.milliseconds < best.milliseconds ? each : best));
}

/** Rows on the corpus; none where there is no corpus. */
export async function bench(): Promise<readonly BenchRow[]> {
  const folder = corpusFolder();
  if (folder === null) {
    console.log("No corpus (.cache/corpus, TAINTWISE_CORPUS): the check of real manifests is not measured.\n");
    return [];
  }
  const files = corpusFiles(folder).length;
  const floor = await fastest([FLOOR, folder], [0]);
  const check = await fastest([CLI, "check", folder, "--format", "json"], [0, 1]);
  const perFile = check.milliseconds / files;
  const beside = `${files} files; floor ${floor.milliseconds.toFixed(0)} ms: reading, one regular expression, \`yaml\` on what matters`;
  return [
    {
      what: "cold check of the corpus",
      measured: check.milliseconds,
      limit: 1.5 * floor.milliseconds,
      unit: "ms",
      beside,
    },
    { what: "as many as 8,000 files of it", measured: perFile * 8000, limit: 2000, unit: "ms", beside: "one thread" },
    {
      what: "peak memory",
      measured: check.peakMemory / MIB,
      limit: 400,
      unit: "MiB",
      beside: `floor ${(floor.peakMemory / MIB).toFixed(0)} MiB`,
    },
  ];
}
