// Triage rule pods-evicted: evicted, or refused, by the kubelet for pressure.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podKey, podRef, startOf } from "../facts/pod-state.ts";
import { isResidue } from "../facts/residue.ts";
import { isPressure } from "../read/condition.ts";
import { isPressureEnd, lowOn } from "../read/ended-pod.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { count, listNames, quote } from "../wording/list.ts";

/**
 * One symptom for all pods of the node that pressure ended and nothing has replaced. An error while the pressure lasts,
 * else a warning: they stay dead. Evictions for a pod's own limit are none of it.
 */
export function podsEvicted(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const evicted = node.pods
    .filter((pod) => isPressureEnd(pod) && !isResidue(pod, facts.owners))
    .sort((a, b) => (startOf(a) ?? 0) - (startOf(b) ?? 0));
  const last = evicted.at(-1);
  if (last === undefined) return [];
  const lasting = node.node.conditions.some((condition) => isPressure(condition.type) && condition.status === "True");
  const subjects = [...new Set(evicted.map((pod) => lowOn(pod.message)).filter(Boolean))];
  const again = evicted.length > 1 && evicted.every((pod) => pod.controller?.uid === last.controller?.uid);
  return [
    symptom({
      code: "pods-evicted",
      node: node.name,
      severity: lasting ? "error" : "warning",
      message: `${count(evicted.length, "pod")} evicted or refused on ${node.name} for ${listNames(subjects) || "pressure"}: ${listNames(evicted.map(podKey))}.${
        again
          ? ` They belong to one controller (${last.controller?.kind} ${last.controller?.name}), which makes the next one at once.`
          : ""
      }`,
      summary: `pods evicted for ${listNames(subjects) || "pressure"}`,
      advice: lasting
        ? "End the pressure first; then delete the Failed pods."
        : `The pressure is over and nobody makes these pods again: kubectl -n ${last.namespace} delete pod ${last.name}, then apply its manifest.`,
      object: evicted.length === 1 ? podRef(last) : null,
      evidence: evicted
        .slice(-3)
        .map((pod) => ({ text: `${podKey(pod)}: ${quote(pod.message)}`, at: pod.startTime, object: podRef(pod) })),
      about: {
        pods: evicted.map(podKey),
        failure: { kind: "pressure", driver: "", volume: "", holders: [], text: subjects.join(" ") },
      },
    }),
  ];
}
