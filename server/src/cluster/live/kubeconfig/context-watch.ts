// Live cluster, kubeconfig: a context as its files say it now. The files are looked at, not watched: a share or a tool
// that replaces them would lose a watch, and a look costs a stat each.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Clock } from "../watch/clock.ts";
import type { LoadedKubeconfig } from "./load.ts";
import type { KubeContext } from "./merge.ts";

/** What became of a context. */
export type ContextNews =
  | { readonly kind: "gone" }
  /** Other details; `elsewhere`: another server, so nothing that is held counts. */
  | { readonly kind: "changed"; readonly context: KubeContext; readonly elsewhere: boolean };

export interface ContextWatchOptions {
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly every: number;
  /** The files that can hold the context, those that are not there among them. */
  readonly paths: readonly string[];
  /** Reads the files anew. */
  readonly load: () => Promise<LoadedKubeconfig>;
  /** The context among what was read; null when it is not there. */
  readonly find: (loaded: LoadedKubeconfig) => KubeContext | null;
  readonly onNews: (news: ContextNews) => Promise<void>;
}

/** As many looks in a row must miss a context before it counts as gone: tools write a file in two steps. */
const MISSES = 2;

/** Looks until `signal` is aborted; tells each change once. Never rejects. */
export async function watchContext(
  first: KubeContext,
  options: ContextWatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, every, paths, load, find, onNews } = options;
  let known: KubeContext | null = first;
  let server = first.cluster?.server ?? "";
  let print = await fingerprint(first);
  let stamp = await stampOf([...paths, authorityPath(first)]);
  let misses = 0;
  while (!signal.aborted) {
    await clock.sleep(every, signal);
    if (signal.aborted) return;
    const seen = await stampOf([...paths, authorityPath(known)]);
    if (seen === stamp && misses === 0) continue;
    stamp = seen;
    const loaded = await load();
    const found = find(loaded);
    if (found === null) {
      // A file that cannot be read says nothing of what was in it.
      const unreadable = loaded.problems.some(({ severity }) => severity === "error");
      misses = known === null || (unreadable && loaded.files.length > 0) ? 0 : misses + 1;
      if (misses < MISSES) continue;
      misses = 0;
      known = null;
      await onNews({ kind: "gone" });
      continue;
    }
    misses = 0;
    const next = await fingerprint(found);
    if (known !== null && next === print) continue;
    known = found;
    print = next;
    const elsewhere = found.cluster?.server !== server;
    server = found.cluster?.server ?? "";
    await onNews({ kind: "changed", context: found, elsewhere });
  }
}

/** Everything that makes the connection: the entries, and the authority's file. What a user's files hold renews itself. */
async function fingerprint(context: KubeContext): Promise<string> {
  const path = authorityPath(context);
  const authority = path === "" ? "" : await readFile(path, "utf8").catch(() => "unreadable");
  return createHash("sha256")
    .update(JSON.stringify([context, authority]))
    .digest("base64");
}

function authorityPath(context: KubeContext | null): string {
  const cluster = context?.cluster ?? null;
  if (cluster === null || cluster.certificateAuthority === "") return "";
  return resolve(dirname(cluster.path), cluster.certificateAuthority);
}

/** Changes when one of the files is written, comes or goes. */
async function stampOf(paths: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    paths.map(async (path) => {
      if (path === "") return "";
      try {
        const { mtimeMs, size, ino } = await stat(path);
        return `${mtimeMs} ${size} ${ino}`;
      } catch {
        // Not there, or not to be seen: told where the file is read.
        return "none";
      }
    }),
  );
  return stamps.join("\n");
}
