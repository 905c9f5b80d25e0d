// Triage layer, facts: pods that work for the cluster from somewhere: cloud controllers, webhooks.
import type { ClusterPod } from "../../kube/pod.ts";
import type { Symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { ailmentOf } from "./pod-health.ts";
import { hasEnded, podRef } from "./pod-state.ts";
import { tellingWords } from "./words.ts";

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

/** What an agent says when it waits for the half of its product that runs elsewhere. */
const WAITS_FOR_OPERATOR =
  /operator|controller|pod ?cidr|\bcidr\b|ipam|\bcrds?\b|customresourcedefinition|certificate|waiting for/i;

/**
 * The broken operator or controller of a platform DaemonSet's product, when the agent's own words say that it waits for
 * it: pods of the same namespace that share a telling word with it. Null where it works or the words are about
 * something else.
 */
export function brokenOperator(facts: ClusterFacts, daemonSet: DaemonSetFacts, said: string): Symptom["outside"] {
  if (!WAITS_FOR_OPERATOR.test(said)) return null;
  const words = tellingWords(daemonSet.name);
  const names = words.flatMap((word) => [
    new RegExp(`${word}.*(operator|controller)`),
    new RegExp(`(operator|controller).*${word}`),
  ]);
  if (names.length === 0) return null;
  const { broken } = findHelpers(facts, names, daemonSet.namespace);
  if (broken === null || broken.pod.controller?.kind === "DaemonSet") return null;
  return {
    object: podRef(broken.pod),
    summary: `${broken.pod.name} does not run: ${quote(broken.words, 100)}`,
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
