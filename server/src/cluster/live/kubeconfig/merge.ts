// Live cluster, kubeconfig: several files as one, as kubectl merges them: the first file that names an entry wins, whole.
// Source: k8s.io/client-go/tools/clientcmd ClientConfigLoadingRules.Load.
import type { ClusterEntry, ContextEntry, KubeconfigFile, KubeconfigProblem, UserEntry } from "./entry.ts";

/** A context of the merged configuration, usable or not. */
export interface KubeContext {
  readonly name: string;
  /** File that defines it; with the name it is the key of a connection. */
  readonly path: string;
  readonly namespace: string;
  readonly cluster: ClusterEntry | null;
  readonly user: UserEntry | null;
  /** Why it cannot be used, in words; null when it can. */
  readonly unusable: string | null;
}

export interface Kubeconfig {
  readonly contexts: readonly KubeContext[];
  /** Name of the chosen context; null when none is chosen or the name exists nowhere. */
  readonly currentContext: string | null;
  readonly problems: readonly KubeconfigProblem[];
}

/** Merges files in their order; every shadowed entry and every dangling name is a problem line, nothing is dropped silently. */
export function mergeKubeconfig(files: readonly KubeconfigFile[]): Kubeconfig {
  const problems = files.flatMap((file) => file.problems);
  const clusters = firstWins(files, "cluster", (file) => file.clusters, problems);
  const users = firstWins(files, "user", (file) => file.users, problems);
  const contexts = firstWins(files, "context", (file) => file.contexts, problems);
  const merged = [...contexts.values()].map((entry) => context(entry, clusters, users));
  const chosen = files.find((file) => file.currentContext !== "");
  if (chosen !== undefined && !contexts.has(chosen.currentContext)) {
    problems.push({
      path: chosen.path,
      line: 0,
      character: 0,
      message: `current-context "${chosen.currentContext}" exists in no kubeconfig file; no context is selected`,
      severity: "error",
    });
  }
  const current = chosen !== undefined && contexts.has(chosen.currentContext) ? chosen.currentContext : null;
  return { contexts: merged, currentContext: current, problems };
}

function firstWins<Entry extends { readonly name: string; readonly path: string }>(
  files: readonly KubeconfigFile[],
  what: string,
  entries: (file: KubeconfigFile) => readonly Entry[],
  problems: KubeconfigProblem[],
): ReadonlyMap<string, Entry> {
  const byName = new Map<string, Entry>();
  for (const file of files) {
    for (const entry of entries(file)) {
      const first = byName.get(entry.name);
      if (first === undefined) {
        byName.set(entry.name, entry);
        continue;
      }
      const where = first.path === entry.path ? "earlier in the same file" : `in ${first.path}`;
      const message = `${what} "${entry.name}" is hidden by the one ${where}: the first one wins`;
      problems.push({ path: entry.path, line: 0, character: 0, message, severity: "information" });
    }
  }
  return byName;
}

function context(
  entry: ContextEntry,
  clusters: ReadonlyMap<string, ClusterEntry>,
  users: ReadonlyMap<string, UserEntry>,
): KubeContext {
  const cluster = clusters.get(entry.cluster) ?? null;
  const user = users.get(entry.user) ?? null;
  return {
    name: entry.name,
    path: entry.path,
    namespace: entry.namespace,
    cluster,
    user,
    unusable: reasonUnusable(entry, cluster, user),
  };
}

function reasonUnusable(entry: ContextEntry, cluster: ClusterEntry | null, user: UserEntry | null): string | null {
  if (entry.cluster === "") return "the context names no cluster";
  if (cluster === null) return `cluster "${entry.cluster}" is in no kubeconfig file`;
  if (cluster.server === "") return `cluster "${entry.cluster}" has no server`;
  if (cluster.damage !== null) return `cluster "${entry.cluster}": ${cluster.damage}`;
  if (serverUrl(cluster) === null) return badServer(cluster.server);
  if (entry.user !== "" && user === null) return `user "${entry.user}" is in no kubeconfig file`;
  if (user !== null && user.damage !== null) return `user "${entry.user}": ${user.damage}`;
  return null;
}

/**
 * Where a cluster is reached; null for what is no http(s) URL. A server without a scheme is https where the entry speaks
 * of certificates, else http. Source: k8s.io/client-go/rest DefaultServerURL.
 */
export function serverUrl(cluster: ClusterEntry): URL | null {
  const { server } = cluster;
  const trusts = cluster.certificateAuthority !== "" || cluster.certificateAuthorityData !== "";
  const scheme = trusts || cluster.insecureSkipTlsVerify ? "https" : "http";
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `${scheme}://${server}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? url : null;
}

/** A server that is no URL; an IPv6 address without brackets is the usual case. */
function badServer(server: string): string {
  const bare = /^(https?:\/\/)(?=[^/]*:[^/]*:)([0-9a-fA-F:]+?)(?::(\d{2,5}))?(\/.*)?$/.exec(server);
  const hint =
    bare === null ? "" : `; an IPv6 address needs brackets: ${bare[1]}[${bare[2]}]${bare[3] ? `:${bare[3]}` : ""}`;
  return `the server "${server}" is no http(s) URL${hint}`;
}
