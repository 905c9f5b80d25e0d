// Triage rule pod-stuck-terminating: its deletion time has passed, and the object is still there.
import type { ClusterPod } from "../../kube/pod.ts";
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import { type NodeFacts, posts } from "../facts/node.ts";
import { hasEnded, podKey, podRef } from "../facts/pod-state.ts";
import { type Failure, readStart } from "../read/failure.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { listNames } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * One warning per pod. The kubelet holds it up while containers run or are cleaned up; a finalizer does once they have
 * ended on a node that posts, and then no node is charged (`node` empty).
 */
export function podStuckTerminating(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  return node.pods.filter((pod) => isOverdue(facts, pod)).map((pod) => report(facts, node, pod));
}

/** Whether the pod should have gone more than the grace time ago. Mirror pods go with their file. */
export function isOverdue(facts: ClusterFacts, pod: ClusterPod): boolean {
  return !pod.mirror && isOlder(pod.deletedAt, facts.now, facts.options.graceMs);
}

/** The symptom of a pod; `node` null where the pod has none any more. */
export function report(facts: ClusterFacts, node: NodeFacts | null, pod: ClusterPod): Symptom {
  const ended =
    hasEnded(pod) || (pod.containers.length > 0 && pod.containers.every((status) => status.running === null));
  const waits = pod.finalizers.length > 0 && (node === null || (posts(node) && ended));
  const events = facts.events.ofPod(pod).filter((event) => event.type === "Warning");
  const last = events.at(-1);
  const finalizers = listNames(pod.finalizers);
  const where = node === null ? "" : ` on ${node.name}`;
  return symptom({
    code: "pod-stuck-terminating",
    node: waits || node === null ? "" : node.name,
    severity: "warning",
    message: waits
      ? `${podKey(pod)}${where} should be gone${forSince(pod.deletedAt, facts.now)}: its containers have ended, the finalizer ${finalizers} is still there.`
      : `${podKey(pod)}${where} should be gone${forSince(pod.deletedAt, facts.now)}: ${ended ? "its containers have ended, the kubelet still cleans up (a volume, most often)" : "the kubelet has not confirmed the end of its containers"}.`,
    summary: waits ? `waits for finalizer ${finalizers}` : `${pod.name} cannot finish terminating`,
    advice: waits
      ? `Look at the controller of ${finalizers}; remove the finalizer by hand only if that controller is gone for good.`
      : `On the node read journalctl -u kubelet for the pod's uid: an unmount that hangs is named there. Delete by force only if the containers are surely gone.`,
    object: podRef(pod),
    since: pod.deletedAt,
    evidence: [
      {
        text: `deletionTimestamp of ${podKey(pod)} has passed${pod.finalizers.length > 0 ? `; finalizers: ${finalizers}` : ""}`,
        at: pod.deletedAt,
        object: podRef(pod),
      },
      ...(last === undefined ? [] : [eventEvidence(last)]),
    ],
    about: {
      pods: [podKey(pod)],
      failure: last === undefined ? silentFailure(pod, ended && !waits) : readStart(last.reason, last.message),
      texts: events.map((event) => event.message),
    },
  });
}

/** Without a word of the kubelet: ended containers leave volumes of a CSI driver as what it still cleans up. */
function silentFailure(pod: ClusterPod, cleansUp: boolean): Failure | null {
  const mounted = pod.spec.volumes.some((volume) => volume.claim !== null || volume.csiDriver !== null);
  return cleansUp && mounted ? { kind: "mount", driver: "", volume: "", holders: [], text: "" } : null;
}
