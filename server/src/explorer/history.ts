// Explorer layer: what came and went while a cluster was followed. What is back within minutes is flapping, not healed.

import type { ClusterFacts } from "../triage/facts/cluster.ts";
import type { DaemonSetFacts } from "../triage/facts/daemon-set.ts";
import type { NodeFacts } from "../triage/facts/node.ts";
import { namedOn } from "../triage/facts/resources.ts";

/** What can flap: `Ready`, `resource rdma/hca`, `pod kube-system/agent`. */
export type Subject = "Ready" | `resource ${string}` | `pod ${string}`;

/** A time without something. */
export interface Loss {
  /** When it was seen to be lost, milliseconds. */
  readonly at: number;
  /** When it was seen again; null while it is not. */
  readonly back: number | null;
}

/** What was lost of one thing lately, oldest first. */
export interface Absence {
  readonly subject: Subject;
  readonly losses: readonly Loss[];
  /** Lost again and again, not once as by a restart, nor by one rollout after the other. */
  readonly flaps: boolean;
}

/** Losses of one thing within this many milliseconds of each other are one story. */
const WINDOW = 30 * 60_000;
/** A rollout or a reboot loses a thing once. */
const LEAST_LOSSES = 2;
/** Losses remembered of one thing. */
const KEPT = 20;

interface Kept extends Loss {
  /** Of a pod: the revision of its template; each rollout ends pods of another one. Empty for everything else. */
  readonly revision: string;
}

/** Remembers losses of a followed cluster; one per cluster, told of every model that was judged. */
export class ClusterHistory {
  /** By node, then by subject. */
  readonly #losses = new Map<string, Map<Subject, readonly Kept[]>>();

  /** Notes what `now` lost against `before`, the model judged last, and what is back. Without a time nothing can be told. */
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
        if (offers(old, resource) && !offers(node, resource)) this.#lost(name, `resource ${resource}`, at);
      }
    }
    const podsKnown = now.cluster.parts.pods === "known";
    const later = new Map(now.platform.map((daemonSet) => [daemonSet.key, daemonSet]));
    if (podsKnown && before.cluster.parts.pods === "known") this.#lostPods(before, now, later, at);
    this.#regained(now, podsKnown ? later : null, at);
  }

  /** What was lost on the node within the half hour before `now`. */
  absences(node: string, now: number | null): readonly Absence[] {
    const subjects = this.#losses.get(node);
    if (subjects === undefined || now === null) return [];
    return [...subjects].flatMap(([subject, kept]) => {
      const losses = kept.filter(({ at }) => now - at <= WINDOW);
      return losses.length === 0 ? [] : [{ subject, losses, flaps: isAgainAndAgain(losses) }];
    });
  }

  #lostPods(before: ClusterFacts, now: ClusterFacts, later: ReadonlyMap<string, DaemonSetFacts>, at: number): void {
    for (const daemonSet of before.platform) {
      const { key, livingOn } = daemonSet;
      const living = later.get(key)?.livingOn;
      if (living === undefined) continue;
      for (const node of livingOn) {
        if (!living.has(node) && now.nodes.has(node)) this.#lost(node, `pod ${key}`, at, revisionOn(daemonSet, node));
      }
    }
  }

  /** `daemonSets` by key; null where pods are not known. */
  #regained(now: ClusterFacts, daemonSets: ReadonlyMap<string, DaemonSetFacts> | null, at: number): void {
    for (const [name, subjects] of this.#losses) {
      const node = now.nodes.get(name);
      if (node === undefined) {
        this.#losses.delete(name);
        continue;
      }
      for (const [subject, kept] of subjects) {
        const last = kept.at(-1);
        if (last === undefined || last.back !== null || last.at === at || !isThere(node, subject, daemonSets)) continue;
        subjects.set(subject, [...kept.slice(0, -1), { ...last, back: at }]);
      }
    }
  }

  #lost(node: string, subject: Subject, at: number, revision = ""): void {
    const subjects = this.#losses.get(node) ?? new Map<Subject, readonly Kept[]>();
    this.#losses.set(node, subjects);
    subjects.set(subject, [...(subjects.get(subject) ?? []), { at, back: null, revision }].slice(-KEPT));
  }
}

function offers({ node }: NodeFacts, resource: string): boolean {
  return (node.allocatable?.[resource] ?? 0) > 0;
}

function isThere(node: NodeFacts, subject: Subject, daemonSets: ReadonlyMap<string, DaemonSetFacts> | null): boolean {
  if (subject === "Ready") return node.ready === "True";
  const name = subject.slice(subject.indexOf(" ") + 1);
  if (subject.startsWith("resource ")) return offers(node, name);
  return daemonSets?.get(name)?.livingOn.has(node.name) ?? false;
}

/** The label that the DaemonSet controller gives its pods. */
const REVISION = "controller-revision-hash";

function revisionOn(daemonSet: DaemonSetFacts, node: string): string {
  return daemonSet.podsOn(node).living[0]?.labels[REVISION] ?? "";
}

function isAgainAndAgain(losses: readonly Kept[]): boolean {
  return losses.some(({ revision }) => losses.filter((other) => other.revision === revision).length >= LEAST_LOSSES);
}
