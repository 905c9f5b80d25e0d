// Live cluster, kubeconfig: from what a person chose to a context of the files as they are now.
import { homedir } from "node:os";
import { CredentialError } from "../credentials/credential.ts";
import { inClusterContext } from "./in-cluster.ts";
import { type LoadedKubeconfig, loadKubeconfig } from "./load.ts";
import type { KubeContext } from "./merge.ts";
import { type KubeconfigPaths, kubeconfigPaths } from "./paths.ts";

/** Where kubeconfigs are looked for. */
export interface KubeconfigSettings {
  /** A kubeconfig the user named; empty: KUBECONFIG, else the default file. */
  readonly kubeconfig: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A context by its name; empty: the current one. */
export interface ChosenContext {
  readonly name: string;
  /** The file that defines it, where it was chosen from a list; null: the first that does. */
  readonly kubeconfig: string | null;
}

/** Reads the kubeconfig files; contacts nothing. Never throws. */
export async function readContexts(settings: KubeconfigSettings): Promise<LoadedKubeconfig> {
  return loadKubeconfig(usualPaths(settings), process.platform, await inClusterContext(settings.environment));
}

/**
 * Finds a context by name (empty: the current one).
 * @throws CredentialError with a sentence that lists what there is.
 */
export function findContext(loaded: LoadedKubeconfig, name: string): KubeContext {
  const found = pick(loaded, { name, kubeconfig: null });
  if (found !== null) return found;
  const errors = loaded.problems.filter((problem) => problem.severity === "error").map((problem) => problem.message);
  if (loaded.contexts.length === 0) throw new CredentialError(errors[0] ?? "the kubeconfig holds no context");
  const names = loaded.contexts.map((context) => context.name).join(", ");
  if (name === "") throw new CredentialError(`no context is selected in the kubeconfig; there are: ${names}`);
  throw new CredentialError(`there is no context "${name}" in the kubeconfig; there are: ${names}`);
}

/** A choice as the files stand: what they hold, where they are, and the context among it. */
export interface ChosenFiles {
  readonly paths: readonly string[];
  /** Reads the files: the usual ones together, as their entries belong together; else the file of the choice alone. */
  readonly load: () => Promise<LoadedKubeconfig>;
  /** The context among what was read; null when it is not there. */
  readonly find: (loaded: LoadedKubeconfig) => KubeContext | null;
}

/**
 * Where the chosen context is looked for: the usual files first; the file that it was chosen from only where those do not
 * have it (any more). Reading throws what `readContexts` throws.
 */
export function chosenFiles(chosen: ChosenContext, settings: KubeconfigSettings): ChosenFiles {
  const { kubeconfig } = chosen;
  const find = (loaded: LoadedKubeconfig): KubeContext | null => pick(loaded, chosen);
  const paths = usualPaths(settings).paths;
  if (kubeconfig === null) return { paths, find, load: () => readContexts(settings) };
  return {
    paths: [...new Set([...paths, kubeconfig])],
    find,
    load: async () => {
      const usual = await readContexts(settings);
      return find(usual) === null ? readContexts({ ...settings, kubeconfig }) : usual;
    },
  };
}

function usualPaths({ kubeconfig, environment }: KubeconfigSettings): KubeconfigPaths {
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  return kubeconfigPaths(kubeconfig, { environment, home, platform: process.platform });
}

function pick(loaded: LoadedKubeconfig, { name, kubeconfig }: ChosenContext): KubeContext | null {
  const wanted = name === "" ? loaded.currentContext : name;
  const found = loaded.contexts.find(
    (context) => context.name === wanted && (kubeconfig === null || context.path === kubeconfig),
  );
  return found ?? null;
}
