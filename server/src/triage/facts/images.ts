// Triage layer, facts: where an image runs, and where it cannot be pulled.
import type { ClusterFacts } from "./cluster.ts";
import { hasEnded, imageOf, pullingInVain } from "./pod-state.ts";

/** Whether a container with this image runs, or has run, on another node. */
export function runsElsewhere(facts: ClusterFacts, image: string, node: string): boolean {
  return facts.cluster.pods.some(
    (pod) =>
      pod.spec.nodeName !== node &&
      pod.spec.nodeName !== "" &&
      pod.containers.some(
        (status) => imageOf(pod, status) === image && (status.running !== null || status.lastTerminated !== null),
      ),
  );
}

/** Nodes on which a container waits in vain for this image. */
export function failsOn(facts: ClusterFacts, image: string): ReadonlySet<string> {
  const nodes = new Set<string>();
  for (const pod of facts.cluster.pods) {
    if (hasEnded(pod) || pod.spec.nodeName === "") continue;
    if (pullingInVain(pod).some((status) => imageOf(pod, status) === image)) nodes.add(pod.spec.nodeName);
  }
  return nodes;
}
