// Child processes of a test cluster: started with their output in a file,
// stopped by pid, and killed when this process dies, however it dies.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** A started program. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logPath: string;
  /** False once the program has ended, whatever ended it. */
  alive(): boolean;
  /** Asks the program to end, kills it after `grace` milliseconds, resolves when it is gone. */
  stop(grace?: number): Promise<void>;
  /** Kills the program without asking, resolves when it is gone. */
  kill(): Promise<void>;
}

/** Programs that live and die together. */
export interface ProcessGroup {
  /** Starts a program. A name started again appends to the same log. */
  start(name: string, path: string, args: readonly string[]): RunningProcess;
  /** Stops all of them, the last started first. */
  stop(): Promise<void>;
}

/**
 * Reads pids from its input, a line each, and when the input ends kills them
 * and removes the folder: it ends when our process does, even by a signal that
 * nobody can catch.
 */
const watchdogScript = `
trap "" INT TERM HUP
pids=
while read -r pid; do pids="$pids $pid"; done
kill -9 $pids
rm -rf "$1"`;

/** Makes a group whose logs go to `folder`. The folder outlives stop(), but not a crash of ours. */
export function processGroup(folder: string): ProcessGroup {
  const running: { readonly process: RunningProcess; readonly child: ChildProcess }[] = [];
  const watchdog = spawn("sh", ["-c", watchdogScript, "watchdog", folder], { stdio: ["pipe", "ignore", "ignore"] });
  // A watchdog that ended early takes no more pids; the exit hook still kills.
  watchdog.stdin.on("error", () => undefined);
  watchdog.unref();
  const killAll = () => {
    for (const { child, process } of running) if (process.alive()) child.kill("SIGKILL");
  };
  process.on("exit", killAll);

  return {
    start(name, path, args) {
      const logPath = join(folder, `${name}.log`);
      const log = openSync(logPath, "a");
      const child = spawn(path, args, { stdio: ["ignore", log, log] });
      closeSync(log);
      if (child.pid === undefined) {
        // The reason arrives as an event; without a listener it would end this process.
        child.on("error", () => undefined);
        throw new Error(`${path} cannot be started: is it built? (node test/cluster/build.ts)`);
      }
      const started = runningProcess(name, child, child.pid, logPath);
      running.push({ process: started, child });
      watchdog.stdin.write(`${child.pid}\n`);
      return started;
    },
    async stop() {
      // First, so that it cannot kill a pid that meanwhile belongs to another.
      watchdog.kill("SIGKILL");
      process.off("exit", killAll);
      for (const { process } of running.toReversed()) await process.stop();
    },
  };
}

function runningProcess(name: string, child: ChildProcess, pid: number, logPath: string): RunningProcess {
  const alive = () => child.exitCode === null && child.signalCode === null;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    name,
    pid,
    logPath,
    alive,
    async stop(grace = 5000) {
      if (!alive()) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), grace);
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      if (!alive()) return;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The last lines of a program's log, for an error message. */
export function logTail(process: RunningProcess, lines = 15): string {
  return readFileSync(process.logPath, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

/** Loopback ports that were free a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            if (address !== null && typeof address === "object") resolve(address.port);
            else reject(new Error("no port"));
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
