// Runs the real command line as a process and writes down what a person would see.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";

/** The entry point of a bundle made from the sources as they are now: what people run, and quick to start. */
export const ENTRY = bundle();

function bundle(): string {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../server/src/node/cli.ts", import.meta.url))],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return join(folder, "cli.mjs");
}

/** Where the fixtures lie; commands run there, so that paths are short. */
export const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `taintwise WORDS` to its end, without a terminal. */
export function taintwise(words: readonly string[], options: RunOptions = {}): Outcome {
  const { stdout, stderr, status } = spawnSync(process.execPath, [ENTRY, ...words], {
    cwd: options.cwd ?? FIXTURES,
    input: options.input ?? "",
    encoding: "utf8",
    maxBuffer: 100_000_000,
    env: { PATH: process.env.PATH, ...options.env },
  });
  return { stdout, stderr, status };
}

/** The session as a terminal would show it: the command, both outputs, the exit status. */
export function transcript(words: readonly string[], options: RunOptions = {}): string {
  const { stdout, stderr, status } = taintwise(words, options);
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
  const errors = stderr.replace(/^(?=.)/gm, "stderr| ");
  return `$ taintwise ${quoted}\n${stdout}${errors}[exit ${status}]\n`;
}
