// Cluster layer, files: the files of a dump's folder.
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterProblem, fileProblem } from "../problem.ts";
import { isDumpFile } from "./dump-file.ts";
import { reasonOf } from "./io-reason.ts";

/** A file to read, or what could not be walked. */
export type WalkStep =
  | { readonly path: string; readonly problem: null }
  | { readonly path: string; readonly problem: ClusterProblem };

const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * The dump files below a folder, sorted by name within each folder. Symbolic links are followed; a folder that was
 * seen before (a loop) is not entered again. Never throws for what the file system refuses: that is a step of its own.
 */
export async function* walkDump(folder: string): AsyncGenerator<WalkStep, void, undefined> {
  yield* walkFolder(folder, new Set(), "error");
}

/** `gravity`: how grave it is when this folder itself cannot be read. */
async function* walkFolder(
  folder: string,
  seen: Set<string>,
  gravity: ClusterProblem["severity"],
): AsyncGenerator<WalkStep, void, undefined> {
  let names: readonly string[];
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return;
    seen.add(real);
    names = (await readdir(folder)).sort();
  } catch (error) {
    yield { path: folder, problem: fileProblem(folder, reasonOf(error), gravity) };
    return;
  }
  for (const name of names) {
    if (SKIPPED.has(name)) continue;
    const path = join(folder, name);
    const entry = await lookAt(path);
    if (entry.problem !== null) {
      if (isDumpFile(name)) yield { path, problem: entry.problem };
    } else if (entry.isFolder) {
      yield* walkFolder(path, seen, "warning");
    } else if (isDumpFile(name)) {
      yield { path, problem: null };
    }
  }
}

interface Entry {
  readonly isFolder: boolean;
  readonly problem: ClusterProblem | null;
}

async function lookAt(path: string): Promise<Entry> {
  try {
    return { isFolder: (await stat(path)).isDirectory(), problem: null };
  } catch (error) {
    return { isFolder: false, problem: fileProblem(path, reasonOf(error), "warning") };
  }
}
