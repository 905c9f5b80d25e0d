// Triage layer, facts: pods that work for the cluster from somewhere: cloud controllers, webhooks.
import type { ClusterPod } from "../../kube/pod.ts";
import type { ClusterFacts } from "./cluster.ts";
import { ailmentOf } from "./pod-health.ts";
import { hasEnded } from "./pod-state.ts";

/** The pods found by name, and the first that does not work when none does. */
export interface Helpers {
  readonly found: readonly ClusterPod[];
  /** null when at least one works, or none was found. */
  readonly broken: { readonly pod: ClusterPod; readonly words: string } | null;
}

/** Looks for the pods whose name or controller matches one of `words`, in `namespace` where it is given. */
export function findHelpers(facts: ClusterFacts, words: readonly RegExp[], namespace: string | null): Helpers {
  const found = facts.cluster.pods.filter(
    (pod) =>
      !hasEnded(pod) &&
      (namespace === null || pod.namespace === namespace) &&
      words.some((word) => word.test(pod.name) || word.test(pod.controller?.name ?? "")),
  );
  let broken: Helpers["broken"] = null;
  for (const pod of [...found].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const node = facts.nodes.get(pod.spec.nodeName);
    const ailment = ailmentOf(facts, pod, node?.ready !== "False");
    const lost = node?.ready === "Unknown" || pod.deletedAt !== null;
    if (ailment === null && !lost) return { found, broken: null };
    broken ??= { pod, words: ailment === null ? "its node is lost" : `${ailment.reason} ${ailment.words}`.trim() };
  }
  return { found, broken };
}
