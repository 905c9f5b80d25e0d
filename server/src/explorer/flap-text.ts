// Explorer layer: flapping in words.
import { isoTime } from "../report/time.ts";
import type { Flap, Subject } from "./history.ts";
import type { JudgedCluster } from "./judged-cluster.ts";

/** `flapping: lost at 09:40:12Z and 09:47:03Z`; the newest four times. */
export function flapText({ losses }: Flap): string {
  const times = losses.slice(-4).map((at) => isoTime(at)?.slice("2026-03-02T".length) ?? "");
  return `flapping: lost at ${times.length === 1 ? times[0] : `${times.slice(0, -1).join(", ")} and ${times.at(-1)}`}`;
}

/** What flapped on a node. */
export function flapsOf(cluster: JudgedCluster, node: string): readonly Flap[] {
  return cluster.history?.flapping(node, cluster.facts.now) ?? [];
}

/** How one thing on a node flapped, in words; null when it did not. */
export function flapOf(cluster: JudgedCluster, node: string, subject: Subject): string | null {
  const found = flapsOf(cluster, node).find((flap) => flap.subject === subject);
  return found === undefined ? null : flapText(found);
}
