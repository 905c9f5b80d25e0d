// Bench: child processes that talk in lines of JSON, and what a process costs.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export const MEGABYTE = 1024 * 1024;
/** Milliseconds between two looks at a process that ends by itself. */
const LOOK_EVERY = 50;

/** Bytes that a process holds now and held at most; the kernel's own numbers, 0 once it is gone. */
export function memoryOf(pid: number | undefined): { readonly now: number; readonly most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const of = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
    return { now: of("VmRSS"), most: of("VmHWM") };
  } catch {
    return { now: 0, most: 0 };
  }
}

export interface Run {
  readonly seconds: number;
  /** Bytes. */
  readonly peak: number;
}

/** Runs a program whose output nobody needs; rejects when it fails. */
export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ...environment },
    });
    let peak = 0;
    const look = setInterval(() => {
      peak = Math.max(peak, memoryOf(child.pid).most);
    }, LOOK_EVERY);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearInterval(look);
      if (code === 0) resolve({ seconds: (performance.now() - started) / 1000, peak });
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}

/** A child that answers lines with lines of JSON. */
export class LineChild {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  get memory(): ReturnType<typeof memoryOf> {
    return memoryOf(this.#child.pid);
  }

  /** The next line; rejects when the child ended. */
  async next<T>(): Promise<T> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`${this.#child.spawnargs.join(" ")} ended early`);
    return JSON.parse(line.value) as T;
  }

  ask<T>(line: string): Promise<T> {
    this.#child.stdin?.write(`${line}\n`);
    return this.next();
  }

  /** Ends its input and resolves when it is gone. */
  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.stdin?.end();
    await gone;
  }
}

/** What a line of `follower.ts` tells. */
export interface FollowerReport {
  /** Of the process, since the report before. */
  readonly cpuMicroseconds: number;
  readonly models: number;
  /** Bytes. */
  readonly heap: number;
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
