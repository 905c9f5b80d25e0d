// Live cluster, credentials: the process of an exec plugin. No terminal, no input, a deadline that its children cannot
// outlive, and an output of bounded size.
import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export interface PluginCommand {
  /** An absolute path, or a name that is looked up in `environment.PATH`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds it may take. */
  readonly deadline: number;
  /** Each whole line that it writes to stderr, as it comes. */
  readonly onLine: (line: string) => void;
}

/** How a plugin ended. */
export type PluginEnd =
  | { readonly how: "done"; readonly output: string }
  | { readonly how: "not-started"; readonly error: Error }
  | PluginFailure;

/** A plugin that ran and gave nothing; `errors` is the beginning of what it wrote to stderr. */
export type PluginFailure =
  | { readonly how: "too-slow"; readonly errors: string }
  | { readonly how: "too-long"; readonly errors: string }
  | { readonly how: "failed"; readonly code: number | null; readonly killed: string | null; readonly errors: string };

/** Bytes of stdout; a credential has a few thousand. */
const LONGEST_OUTPUT = 1024 * 1024;
/** Characters of stderr that are kept for the message. */
const LONGEST_ERRORS = 4_000;
/** Milliseconds that the pipes of a plugin that ended may stay open: its children may hold them. */
const PIPES_AFTER_EXIT = 200;

/** Runs a plugin to its end; an abort of `signal` ends it too. Never rejects. */
export function runPlugin(plugin: PluginCommand, signal: AbortSignal): Promise<PluginEnd> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(plugin.command, plugin.args, {
        env: plugin.environment,
        stdio: ["ignore", "pipe", "pipe"],
        // A group and session of its own: no terminal to ask in, and its children end with it.
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      resolve({ how: "not-started", error: error instanceof Error ? error : new Error(String(error)) });
      return;
    }
    const out: Buffer[] = [];
    const lines = new LineReader(plugin.onLine);
    let size = 0;
    let exited: Omit<Extract<PluginEnd, { readonly how: "failed" }>, "errors"> | null = null;
    const finish = (end: PluginEnd): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      endGroup(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(end);
    };
    const onAbort = (): void => finish({ how: "failed", code: null, killed: "its cancellation", errors: lines.all() });
    const timer = setTimeout(() => finish({ how: "too-slow", errors: lines.all() }), plugin.deadline);
    const done = (): void => {
      lines.end();
      if (exited?.code === 0) finish({ how: "done", output: Buffer.concat(out).toString("utf8") });
      else if (exited !== null) finish({ ...exited, errors: lines.all() });
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LONGEST_OUTPUT) finish({ how: "too-long", errors: lines.all() });
      else out.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => lines.push(chunk));
    child.on("error", (error) => finish({ how: "not-started", error }));
    child.on("exit", (code, killed) => {
      exited = { how: "failed", code, killed };
      setTimeout(done, PIPES_AFTER_EXIT).unref();
    });
    child.on("close", done);
    if (signal.aborted) onAbort();
  });
}

/** Ends the plugin and whatever it started; what has ended already stays so. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone: that is what is wanted.
  }
}

/** Whole lines of stderr, whatever the pieces they come in. */
class LineReader {
  readonly #utf8 = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  #pending = "";
  #all = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const text = this.#utf8.write(chunk);
    if (this.#all.length < LONGEST_ERRORS) this.#all += text;
    const lines = (this.#pending + text).split(/\r?\n/);
    this.#pending = (lines.pop() ?? "").slice(-LONGEST_ERRORS);
    for (const line of lines) this.#tell(line);
  }

  /** What was written so far, the beginning of it. */
  all(): string {
    return this.#all.trim();
  }

  end(): void {
    this.#tell(this.#pending);
    this.#pending = "";
  }

  #tell(line: string): void {
    if (line.trim() !== "") this.#onLine(line);
  }
}
