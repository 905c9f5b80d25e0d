// Client: why a view of the explorer is empty, so that its welcome text says the right thing. Pure.

import type { ClusterState } from "../../../shared/src/protocol.ts";
import type { ServerPhase } from "../cluster/status-words.ts";

/** Values of the context key that the welcome texts go by. */
export type ViewState =
  | "starting"
  | "stopped"
  | "none"
  | "unreachable"
  | "forbidden"
  | "filtered"
  | "nodeless"
  | "partly"
  | "healthy"
  | "known";

/** The state of a view with so many rows at its top. */
export function viewState(phase: ServerPhase, state: ClusterState | null, rows: number, filtered: boolean): ViewState {
  if (phase === "stopped") return "stopped";
  if (phase === "starting" || state === null) return "starting";
  if (state.clusters.length === 0) {
    if (state.loading) return "starting";
    if (state.forbidden) return "forbidden";
    return state.problems.length > 0 ? "unreachable" : "none";
  }
  if (rows > 0) return "known";
  const nodes = state.clusters.map(({ missing }) => missing.find(({ part }) => part === "nodes")?.why);
  if (nodes.every((why) => why === "forbidden")) return "forbidden";
  if (nodes.every((why) => why !== undefined)) return "unreachable";
  if (filtered) return "filtered";
  if (state.clusters.every((cluster) => cluster.nodes === 0)) return "nodeless";
  // What was not read may hold any problem.
  const unread = state.clusters.some(({ missing }) => missing.some(({ part }) => JUDGED.has(part)));
  return unread ? "partly" : "healthy";
}

/** Without these nothing can be called healthy. */
const JUDGED: ReadonlySet<string> = new Set(["nodes", "pods", "daemonsets"]);
