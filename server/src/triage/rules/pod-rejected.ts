// Triage rule pod-rejected: refused by the kubelet at admission, pressure aside.
import type { ClusterPod } from "../../kube/pod.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podKey, podRef } from "../facts/pod-state.ts";
import { isResidue } from "../facts/residue.ts";
import { isRejection } from "../read/ended-pod.ts";
import { type Failure, readStart } from "../read/failure.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";

/**
 * One symptom per refused pod that nothing has replaced: an error where a controller keeps trying in vain, a warning for
 * a bare pod that was refused once and stays dead, and for what a shutdown refuses.
 */
export function podRejected(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  return node.pods
    .filter((pod) => isRejection(pod) && !isResidue(pod, facts.owners))
    .map((pod) => {
      const shutdown = isShutdown(pod);
      const bare = pod.controller === null;
      const text = pod.message.replace(/^Pod was rejected: /, "");
      const failure: Failure = shutdown ? { ...readStart("", text), kind: "shutdown" } : readStart("", text);
      return symptom({
        code: "pod-rejected",
        node: node.name,
        severity: bare || shutdown ? "warning" : "error",
        message: `${podKey(pod)} was refused by the kubelet of ${node.name} (${pod.reason}): ${quote(text)}.`,
        consequence: bare ? "Nobody makes it again." : "",
        summary: `pods refused: ${pod.reason}`,
        advice: bare
          ? `Create the pod again: kubectl -n ${pod.namespace} delete pod ${pod.name}, then apply its manifest.`
          : shutdown
            ? "Nothing to do: the node shuts down."
            : `Remove what the kubelet complains of, or take the node out: kubectl cordon ${node.name}; then delete the Failed pods.`,
        object: podRef(pod),
        since: pod.startTime,
        evidence: [
          {
            text: `${podKey(pod)}: Failed, ${pod.reason}, ${quote(pod.message)}`,
            at: pod.startTime,
            object: podRef(pod),
          },
        ],
        about: { pods: [podKey(pod)], failure, resources: Object.keys(pod.spec.requests), texts: [pod.message] },
      });
    });
}

function isShutdown(pod: ClusterPod): boolean {
  return pod.reason === "NodeShutdown" || /node is shutting down/i.test(pod.message);
}
