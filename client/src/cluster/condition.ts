// Client: what state a cluster model is in, as the status bar tells it. Pure; the clock is an input.
import type { ClusterState, ClusterSummary } from "../../../shared/src/protocol.ts";

export type Condition = "fresh" | "stale" | "partial";

/** An age in the largest unit that fits, rounded down; `live` for what is followed; null when the time is unknown. */
export type Age = { readonly unit: "minutes" | "hours" | "days"; readonly count: number } | "live" | null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of something seen at `observedAt` (milliseconds); a time in the future counts as now. */
export function ageOf(observedAt: number | null, now: number): Age {
  if (observedAt === null) return null;
  const age = Math.max(0, now - observedAt);
  if (age < HOUR) return { unit: "minutes", count: Math.floor(age / MINUTE) };
  if (age < 2 * DAY) return { unit: "hours", count: Math.floor(age / HOUR) };
  return { unit: "days", count: Math.floor(age / DAY) };
}

/**
 * `partial` wins over `stale`: a part that is not there is the graver gap in what is known. A cluster that is followed is
 * as it is now, however long ago its last change was; one whose time is unknown is never called fresh. `staleAfter` is in minutes, 0 means never.
 */
export function conditionOf(cluster: ClusterSummary, staleAfter: number, now: number): Condition {
  if (cluster.missing.length > 0) return "partial";
  if (cluster.origin === "live") return "fresh";
  if (cluster.observedAt === null) return staleAfter === 0 ? "fresh" : "stale";
  return staleAfter > 0 && now - cluster.observedAt > staleAfter * MINUTE ? "stale" : "fresh";
}

/** The age of what is known of the cluster. */
export function ageOfCluster(cluster: ClusterSummary, now: number): Age {
  return cluster.origin === "live" ? "live" : ageOf(cluster.observedAt, now);
}

/** The gravest condition and the greatest age over all clusters in use; null when there is none. */
export function worstOf(state: ClusterState, now: number): { readonly condition: Condition; readonly age: Age } | null {
  if (state.clusters.length === 0) return null;
  const conditions = state.clusters.map((cluster) => conditionOf(cluster, state.staleAfter, now));
  const kept = state.clusters.filter(({ origin }) => origin !== "live").map(({ observedAt }) => observedAt);
  const known = kept.filter((time) => time !== null);
  const oldest = known.length < kept.length ? null : Math.min(...known);
  return {
    condition: conditions.includes("partial") ? "partial" : conditions.includes("stale") ? "stale" : "fresh",
    age: kept.length === 0 ? "live" : ageOf(oldest, now),
  };
}
