// Triage layer, facts: pods that work for the cluster from somewhere: cloud controllers, webhooks.
import type { ClusterPod } from "../../kube/pod.ts";
import type { Symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import type { ClusterFacts } from "./cluster.ts";
import { ailmentOf } from "./pod-health.ts";
import { hasEnded, podRef } from "./pod-state.ts";

/** The pods found by name, and the first that does not work when none does. */
export interface Helpers {
  readonly found: readonly ClusterPod[];
  /** null when at least one works, or none was found. */
  readonly broken: { readonly pod: ClusterPod; readonly words: string } | null;
}

/**
 * The broken kube-controller-manager as an outside cause: it makes DaemonSet pods and puts condition taints on and off.
 * Null where it works or is not seen (a managed control plane).
 */
export function brokenControllerManager(facts: ClusterFacts): Symptom["outside"] {
  const { broken } = findHelpers(facts, [/^kube-controller-manager/], null);
  if (broken === null) return null;
  return {
    object: podRef(broken.pod),
    summary: `kube-controller-manager does not run: ${quote(broken.words, 100)}`,
    advice: `kubectl -n ${broken.pod.namespace} logs ${broken.pod.name} --previous`,
  };
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
