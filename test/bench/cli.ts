// Bench: the command line as whole processes, from start to exit, beside what Node itself takes to do nothing.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterFile, manifestFile } from "./cli-inputs.ts";
import type { BenchRow } from "./row.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const RUNS = 21;

export interface ProcessRun {
  readonly milliseconds: number;
  /** Bytes; 0 where the platform does not tell. */
  readonly peakMemory: number;
  readonly status: number | null;
}

/** Runs Node with these arguments to its end, its output thrown away. */
export function runNode(args: readonly string[]): Promise<ProcessRun> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    let peakMemory = 0;
    const poll = setInterval(() => {
      peakMemory = Math.max(peakMemory, highWaterMark(child.pid));
    }, 25);
    child.on("error", reject);
    child.on("exit", (status) => {
      clearInterval(poll);
      resolve({ milliseconds: performance.now() - started, peakMemory, status });
    });
  });
}

function highWaterMark(pid: number | undefined): number {
  try {
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    // The process has just ended, or there is no /proc here.
    return 0;
  }
}

async function median(args: readonly string[], expected: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { milliseconds, status } = await runNode(args);
    if (status !== expected) throw new Error(`node ${args.join(" ")} ended with ${status}, not ${expected}`);
    times.push(milliseconds);
  }
  return times.sort((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0;
}

/** Start-up and a small check, in the order of the table. */
export async function benchCli(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-bench-"));
  try {
    const manifest = join(folder, "manifest.yaml");
    const cluster = join(folder, "cluster.yaml");
    writeFileSync(manifest, manifestFile());
    writeFileSync(cluster, clusterFile(100));
    const floor = await median(["-e", "0"], 0);
    const version = await median([CLI, "--version"], 0);
    const check = await median([CLI, "check", manifest, "--cluster", cluster], 1);
    const beside = `node -e 0: ${floor.toFixed(0)} ms`;
    return [
      { what: "CLI start (--version)", measured: version, limit: 80, unit: "ms", beside },
      { what: "check of one file, cluster file of 100 nodes", measured: check, limit: 250, unit: "ms", beside },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) console.table(await benchCli());
