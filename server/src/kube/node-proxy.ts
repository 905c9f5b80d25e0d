// Kubernetes data layer: the paths under which the API server hands a request on to a node's kubelet.
// Source: k8s.io/kubernetes/pkg/registry/core/node/rest (ProxyREST), pkg/kubelet (newNodeLogQuery).

/** What is asked of a kubelet's log query. */
export interface NodeLogQuery {
  /** Units of the node's journal (or providers of a Windows event log); at least one. The kubelet takes at most four. */
  readonly units: readonly string[];
  /** A regular expression that Go, PCRE2 and PowerShell read alike; empty: every line. */
  readonly pattern: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The most lines, the newest ones; with it only those since the last boot are there. */
  readonly lines: number;
}

/** The path of a node's `stats/summary`. */
export function nodeStatsPath(node: string): string {
  return `${proxyPath(node)}/stats/summary`;
}

/** The path of a node's log query. Without the slash before the question mark the kubelet answers with a redirect. */
export function nodeLogPath(node: string, query: NodeLogQuery): string {
  const words = [
    ...query.units.map((unit) => `query=${encodeURIComponent(unit)}`),
    ...(query.pattern === "" ? [] : [`pattern=${encodeURIComponent(query.pattern)}`]),
    `sinceTime=${new Date(query.since).toISOString().replace(/\.\d{3}Z$/, "Z")}`,
    `tailLines=${query.lines}`,
  ];
  return `${proxyPath(node)}/logs/?${words.join("&")}`;
}

function proxyPath(node: string): string {
  return `/api/v1/nodes/${encodeURIComponent(node)}/proxy`;
}
