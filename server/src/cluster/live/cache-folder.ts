// Live cluster: where on this machine the last states of followed clusters are kept.
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The user's folder for remembered clusters, absolute: TAINTWISE_STORAGE, which the extension sets to its own storage,
 * else `taintwise` in the user's cache folder.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const chosen = environment.TAINTWISE_STORAGE;
  if (chosen !== undefined && chosen !== "") return chosen;
  const caches = environment.XDG_CACHE_HOME;
  return join(caches === undefined || caches === "" ? join(homedir(), ".cache") : caches, "taintwise");
}
