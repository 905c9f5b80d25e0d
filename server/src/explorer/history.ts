// Explorer layer: what came and went while a cluster was followed. What is back within minutes is flapping, not healed.

import type { ClusterFacts } from "../triage/facts/cluster.ts";
import { namedOn } from "../triage/facts/resources.ts";

/** What can flap: `Ready`, `resource rdma/hca`, `pod kube-system/agent`. */
export type Subject = "Ready" | `resource ${string}` | `pod ${string}`;

export interface Flap {
  readonly subject: Subject;
  /** When it was lost, oldest first, milliseconds; each time it had come back before. */
  readonly losses: readonly number[];
}

/** Losses of one thing within this many milliseconds of each other are one story. */
const WINDOW = 30 * 60_000;
/** A rollout or a reboot loses a thing once. */
const LEAST_LOSSES = 2;
/** Losses remembered of one thing. */
const KEPT = 20;

/** Remembers losses of a followed cluster; one per cluster, told of every model that was judged. */
export class ClusterHistory {
  /** By node, then by subject. */
  readonly #losses = new Map<string, Map<Subject, number[]>>();

  /** Notes what `now` lost against `before`, the model judged last. Without a time nothing can be told. */
  observe(before: ClusterFacts, now: ClusterFacts): void {
    const at = now.now;
    if (at === null || before.cluster === now.cluster) return;
    for (const [name, node] of now.nodes) {
      const old = before.nodes.get(name);
      // A node that was made anew under its name has no past.
      if (old === undefined || old.node.uid !== node.node.uid) {
        this.#losses.delete(name);
        continue;
      }
      if (old.ready === "True" && node.ready !== "True") this.#lost(name, "Ready", at);
      if (old.node.allocatable === node.node.allocatable || node.node.allocatable === null) continue;
      for (const resource of namedOn(old.node)) {
        const [was, is] = [old.node.allocatable?.[resource] ?? 0, node.node.allocatable[resource] ?? 0];
        if (was > 0 && is === 0) this.#lost(name, `resource ${resource}`, at);
      }
    }
    if (before.cluster.parts.pods !== "known" || now.cluster.parts.pods !== "known") return;
    const later = new Map(now.platform.map((daemonSet) => [daemonSet.key, daemonSet.livingOn]));
    for (const { key, livingOn } of before.platform) {
      const living = later.get(key);
      if (living === undefined) continue;
      for (const node of livingOn) if (!living.has(node) && now.nodes.has(node)) this.#lost(node, `pod ${key}`, at);
    }
  }

  /** What flapped on the node within the half hour before `now`. */
  flapping(node: string, now: number | null): readonly Flap[] {
    const subjects = this.#losses.get(node);
    if (subjects === undefined || now === null) return [];
    return [...subjects].flatMap(([subject, times]) => {
      const losses = times.filter((at) => now - at <= WINDOW);
      return losses.length >= LEAST_LOSSES ? [{ subject, losses }] : [];
    });
  }

  #lost(node: string, subject: Subject, at: number): void {
    const subjects = this.#losses.get(node) ?? new Map<Subject, number[]>();
    this.#losses.set(node, subjects);
    subjects.set(subject, [...(subjects.get(subject) ?? []), at].slice(-KEPT));
  }
}
