// Triage layer, facts: who holds a volume that another pod waits for.
import type { ClusterPod } from "../../kube/pod.ts";
import type { Failure } from "../read/failure.ts";
import type { ClusterFacts } from "./cluster.ts";
import { hasEnded, podKey } from "./pod-state.ts";

/**
 * The pods that hold the volume: those that the text lists, else those of the namespace on another node that use one of
 * the waiting pod's claims. The text may name them with or without namespace.
 */
export function volumeHolders(facts: ClusterFacts, pod: ClusterPod, failure: Failure): readonly ClusterPod[] {
  const named = failure.holders.flatMap((name) => {
    const key = name.includes("/") ? name : `${pod.namespace}/${name}`;
    return facts.pods.get(key) ?? [];
  });
  if (named.length > 0) return named;
  const claims = new Set(pod.spec.volumes.flatMap((volume) => volume.claim ?? []));
  return facts.cluster.pods.filter(
    (other) =>
      podKey(other) !== podKey(pod) &&
      other.namespace === pod.namespace &&
      other.spec.nodeName !== "" &&
      other.spec.nodeName !== pod.spec.nodeName &&
      (!hasEnded(other) || other.deletedAt !== null) &&
      other.spec.volumes.some((volume) => volume.claim !== null && claims.has(volume.claim)),
  );
}
