// Triage layer, reading: why the kubelet ended or refused a pod.
import type { ClusterPod } from "../../kube/pod.ts";

/** Reasons with which the kubelet refuses a pod, for versions that do not write "Pod was rejected". */
const REFUSALS =
  /^(UnexpectedAdmissionError|OutOf[A-Za-z].*|NodeAffinity|NodeName|NodePorts|TopologyAffinityError|SMTAlignmentError|NodeShutdown|InvalidNodeInfo|PodOSSelectorNodeLabelDoesNotMatch|PodOSNotSupported|PodFeatureUnsupported|AppArmor|SysctlForbidden|TaintToleration)$/;

/** Refused at admission for another reason than pressure. */
export function isRejection(pod: Pick<ClusterPod, "phase" | "reason" | "message">): boolean {
  if (pod.phase !== "Failed" || isPressureEnd(pod)) return false;
  return pod.message.startsWith("Pod was rejected: ") || REFUSALS.test(pod.reason);
}

/** Evicted, or refused, because the node was low on something; not for exceeding the pod's own limit. */
export function isPressureEnd(pod: Pick<ClusterPod, "phase" | "reason" | "message">): boolean {
  if (pod.phase !== "Failed" || pod.reason !== "Evicted") return false;
  return /node was low on resource|node had condition/i.test(pod.message);
}

/** What the node was low on: `inodes`, `memory`, `DiskPressure`; empty when the text does not say. */
export function lowOn(message: string): string {
  return (
    /low on resource: ([A-Za-z-]+)/.exec(message)?.[1] ?? /node had condition: \[([A-Za-z]+)/.exec(message)?.[1] ?? ""
  );
}
