// Live cluster, kubeconfig: reads the files that paths.ts names. The only I/O of this folder; contacts no cluster and
// runs no plugin.
import { readFile, stat } from "node:fs/promises";
import type { KubeconfigFile, KubeconfigProblem } from "./entry.ts";
import { type KubeContext, type Kubeconfig, mergeKubeconfig } from "./merge.ts";
import { foreignPath, type KubeconfigPaths } from "./paths.ts";
import { readKubeconfig } from "./read.ts";

export interface LoadedKubeconfig extends Kubeconfig {
  readonly from: KubeconfigPaths["from"];
  /** The files that were read. */
  readonly files: readonly string[];
}

/**
 * Reads and merges the files; where none of them says anything, `inCluster` counts. Never throws: a file that is missing is skipped (an error when the setting names it),
 * one that cannot be read is reported by name while the rest loads.
 * @param platform `process.platform`
 */
export async function loadKubeconfig(
  paths: KubeconfigPaths,
  platform: string,
  inCluster: KubeContext | null = null,
): Promise<LoadedKubeconfig> {
  const files = await Promise.all(paths.paths.map((path) => readOne(path, platform)));
  const found = files.filter((file) => file.found);
  const missing = files.filter((file) => !file.found && file.file.problems.length === 0).map((file) => file.file.path);
  const merged = mergeKubeconfig(files.map((file) => file.file));
  const read = { from: paths.from, files: found.map((file) => file.file.path) };
  const silent = merged.contexts.length === 0 && merged.problems.length === 0;
  if (silent && inCluster !== null && paths.from !== "setting") {
    return { contexts: [inCluster], currentContext: inCluster.name, problems: [], ...read };
  }
  const problems = [...merged.problems];
  if (missing.length > 0 && (paths.from === "setting" || found.length === 0)) {
    problems.push(absent(missing, paths.from));
  }
  return { ...merged, problems, ...read };
}

/** Told once, however many files are named. */
function absent(missing: readonly string[], from: KubeconfigPaths["from"]): KubeconfigProblem {
  const named =
    from === "setting" ? "the setting names" : from === "KUBECONFIG" ? "KUBECONFIG names" : "the default is";
  const which = missing.length === 1 ? "which does not exist" : "none of which exists";
  return {
    path: missing[0] ?? "",
    line: 0,
    character: 0,
    message: `there is no kubeconfig: ${named} ${missing.join(", ")}, ${which}`,
    severity: "error",
  };
}

async function readOne(
  path: string,
  platform: string,
): Promise<{ readonly file: KubeconfigFile; readonly found: boolean }> {
  const failed = (message: string): { readonly file: KubeconfigFile; readonly found: boolean } => ({
    file: {
      path,
      currentContext: "",
      clusters: [],
      users: [],
      contexts: [],
      problems: [{ path, line: 0, character: 0, message, severity: "error" }],
    },
    found: false,
  });
  const foreign = foreignPath(path, platform);
  if (foreign !== null) return failed(foreign);
  try {
    if ((await stat(path.replace(/[\\/]+$/, ""))).isDirectory())
      return failed(`${path} is a folder; the kubeconfig is a file in it`);
    return { file: readKubeconfig(await readFile(path.replace(/[\\/]+$/, ""), "utf8"), path), found: true };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT") return { file: { ...failed("").file, problems: [] }, found: false };
    const message = error instanceof Error ? error.message : String(error);
    return failed(`${path} cannot be read: ${message}`);
  }
}
