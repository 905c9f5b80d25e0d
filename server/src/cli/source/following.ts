// Command-line layer: a cluster that is followed: a live context, or a file that is written again.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadClusterFile } from "../../cluster/file/load.ts";
import type { LiveCache } from "../../cluster/live/cache.ts";
import type { FollowHandlers } from "../../cluster/live/followed-context.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { formatClusterProblem } from "../../cluster/problem.ts";
import type { Arguments } from "../arguments.ts";
import type { Host } from "../host.ts";
import { Unusable } from "../unusable.ts";
import { liveSettings } from "./live-settings.ts";

/**
 * Called with what is known now, and with what is wrong with the source, in sentences; of a live cluster also as time goes
 * on, with a model that was observed now.
 */
export type OnModel = (model: ClusterModel | null, problems: readonly string[]) => void;

/** Milliseconds between two looks at a file; also the least between two tables of a live cluster. */
const EVERY = 1_000;
/** Milliseconds after which a live cluster in which nothing changed is told again: what starts becomes what hangs. */
const AGES_AFTER = 30_000;

/**
 * Follows the one source that --cluster or --context names, until the process is interrupted.
 * Throws Unusable where there is none, several, or one that cannot be followed.
 */
export async function followCluster(args: Arguments, host: Host, onModel: OnModel): Promise<void> {
  const files = args.all("cluster");
  const contexts = args.all("context");
  const [file] = files;
  const [context] = contexts;
  if (files.length + contexts.length !== 1) {
    throw new Unusable("watch follows one cluster: give --context NAME, or --cluster FILE that is written again.");
  }
  if (file === "-") throw new Unusable("watch cannot follow standard input; name a file or a context.");
  if (file !== undefined) await followFile(file, host, onModel);
  else if (context !== undefined) await followContext(context, args, host, onModel);
}

async function followFile(file: string, host: Host, onModel: OnModel): Promise<void> {
  let seen = "";
  for (;;) {
    const mark = await markOf(resolve(host.cwd, file));
    if (mark !== seen) {
      const first = seen === "";
      seen = mark;
      const { model, problems } = await loadClusterFile(resolve(host.cwd, file), {
        name: null,
        now: null,
        readStdin: host.readStdin,
      });
      const errors = problems.filter(({ severity }) => severity === "error").map(formatClusterProblem);
      if (first && errors[0] !== undefined) throw new Unusable(`${errors[0]}.`);
      // A file that is being written is half a file: the next look sees the whole.
      onModel(errors.length === 0 ? model : null, errors);
    }
    await pause(EVERY);
  }
}

/** Changes when the file is written; `gone` while it is not there. */
async function markOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    // Editors and kubectl replace files: it may be back at the next look.
    return "gone";
  }
}

async function followContext(name: string, args: Arguments, host: Host, onModel: OnModel): Promise<void> {
  const { FollowedContext } = await import("../../cluster/live/followed-context.ts");
  const { problemsOf } = await import("../../cluster/live/problems.ts");
  const { CredentialError } = await import("../../cluster/live/credentials/credential.ts");
  const remembering = await import("../../cluster/live/cache.ts");
  const { cacheFolder } = await import("../../cluster/live/cache-folder.ts");
  const settings = await liveSettings(args, host);
  let model: ClusterModel | null = null;
  let problems: readonly string[] = [];
  let changed = false;
  let cache: LiveCache | null = null;
  let arrived = host.elapsed();
  let told = host.elapsed();
  const now = (nextModel: ClusterModel | null, nextProblems: readonly string[]): void => {
    if (model !== nextModel) arrived = host.elapsed();
    model = nextModel;
    problems = nextProblems;
    changed = true;
  };
  try {
    const handlers: FollowHandlers = {
      onModel: (next) => {
        cache?.remember(next);
        now(next.origin === "none" ? model : next, problems);
      },
      onState: (states) => now(model, problemsOf(states)),
      onGone: (reason) => now(null, [reason]),
      onChanged: (_description, elsewhere) =>
        now(model === null || elsewhere ? null : { ...model, origin: "cache" }, []),
    };
    await FollowedContext.open({ name, kubeconfig: null }, settings, handlers, async (context) => {
      const log = (problem: string): void => host.stderr.write(`${problem}.\n`);
      cache = new remembering.LiveCache(cacheFolder(host.env), remembering.cacheKeyOf(context), log);
      const remembered = await cache.read();
      if (remembered !== null) now(remembered, []);
    });
  } catch (error) {
    if (error instanceof CredentialError) throw new Unusable(`--context ${name}: ${error.message}.`);
    throw error;
  }
  for (;;) {
    if (changed || host.elapsed() - told >= AGES_AFTER) {
      changed = false;
      told = host.elapsed();
      onModel(model === null ? null : aged(model, told - arrived), problems);
    }
    await pause(EVERY);
  }
}

/** A live model so many milliseconds after it was made. */
function aged(model: ClusterModel, milliseconds: number): ClusterModel {
  if (model.origin !== "live" || model.observedAt === null) return model;
  return { ...model, observedAt: model.observedAt + Math.round(milliseconds) };
}
