// Explorer layer: what came and went, in words.
import { isoTime } from "../report/time.ts";
import type { Absence, Subject } from "./history.ts";
import type { JudgedCluster } from "./judged-cluster.ts";

/**
 * `flapping: lost at 09:40:12Z and 09:47:03Z` (the newest four times); of what was lost once `gone from 09:40:12Z to
 * 09:43:00Z`, or `lost at 09:40:12Z` while it is.
 */
export function absenceText({ losses, flaps }: Absence): string {
  const last = losses.at(-1);
  if (last === undefined) return "";
  if (!flaps) {
    return last.back === null ? `lost at ${clock(last.at)}` : `gone from ${clock(last.at)} to ${clock(last.back)}`;
  }
  const times = losses.slice(-4).map(({ at }) => clock(at));
  return `flapping: lost at ${times.length === 1 ? times[0] : `${times.slice(0, -1).join(", ")} and ${times.at(-1)}`}`;
}

function clock(at: number): string {
  return isoTime(at)?.slice("2026-03-02T".length) ?? "";
}

/** What was lost on a node lately, whether it is back or not. */
export function absencesOn(cluster: JudgedCluster, node: string): readonly Absence[] {
  return cluster.history?.absences(node, cluster.facts.now) ?? [];
}

/** What flapped on a node. */
export function flapsOf(cluster: JudgedCluster, node: string): readonly Absence[] {
  return absencesOn(cluster, node).filter(({ flaps }) => flaps);
}

/** How it was lately with one thing on a node; null when it was there all the time. */
export function absenceOf(
  cluster: JudgedCluster,
  node: string,
  subject: Subject,
): { readonly text: string; readonly flaps: boolean } | null {
  const found = absencesOn(cluster, node).find((absence) => absence.subject === subject);
  return found === undefined ? null : { text: absenceText(found), flaps: found.flaps };
}
