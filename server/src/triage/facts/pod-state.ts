// Triage layer, facts: what state a pod is in.
import type { ClusterPod, ContainerStatus } from "../../kube/pod.ts";
import type { ObjectRef } from "../../kube/workload.ts";

/** `namespace/name`. */
export function podKey(pod: Pick<ClusterPod, "namespace" | "name">): string {
  return `${pod.namespace}/${pod.name}`;
}

/** How outputs name the pod. */
export function podRef(pod: Pick<ClusterPod, "namespace" | "name">): ObjectRef {
  return { kind: "Pod", namespace: pod.namespace, name: pod.name };
}

/** Whether the pod has not ended (Succeeded, Failed) and is not being deleted. */
export function isLiving(pod: ClusterPod): boolean {
  return !hasEnded(pod) && pod.deletedAt === null;
}

/** Whether the pod is over: Succeeded or Failed. */
export function hasEnded(pod: Pick<ClusterPod, "phase">): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

/**
 * The node the pod is on, or is made for: spec.nodeName, else the one name that a required affinity on metadata.name
 * leaves (as the DaemonSet controller writes it). Empty when there is none.
 */
export function homeOf(pod: Pick<ClusterPod, "spec">): string {
  if (pod.spec.nodeName !== "") return pod.spec.nodeName;
  const terms = pod.spec.requiredAffinity?.terms ?? [];
  const names = terms.map((term) => {
    const field = term.matchFields.find((entry) => entry.key === "metadata.name" && entry.operator === "In");
    return field?.values.length === 1 ? (field.values[0] ?? "") : "";
  });
  const [first] = names;
  return first !== undefined && names.every((name) => name === first) ? first : "";
}

/** Whether a container that is no init container runs or has run. */
export function hasStarted(pod: ClusterPod): boolean {
  return pod.containers.some((status) => !status.init && hasRun(status));
}

function hasRun(status: ContainerStatus): boolean {
  if (status.running !== null) return true;
  const end = status.terminated ?? status.lastTerminated;
  return end === null ? status.restartCount > 0 : !NEVER_RAN.has(end.reason);
}

/** How containerd, CRI-O and Docker name the end of a container that the runtime could not start. */
const NEVER_RAN: ReadonlySet<string> = new Set(["StartError", "ContainerCannotRun"]);

/** The runtime's words of a container that it cannot start, try after try; null when that is not what is wrong. */
export function startErrorOf(status: ContainerStatus): string | null {
  if (status.waiting?.reason === "RunContainerError") return status.waiting.message;
  const end = status.terminated ?? status.lastTerminated;
  return status.running === null && end !== null && NEVER_RAN.has(end.reason) ? end.message : null;
}

const PULL_REASONS: ReadonlySet<string> = new Set([
  "ImagePullBackOff",
  "ErrImagePull",
  "ErrImageNeverPull",
  "InvalidImageName",
  "RegistryUnavailable",
  "ImageInspectError",
  "SignatureValidationFailed",
]);

/** The containers, init containers first, whose image cannot be pulled. */
export function pullingInVain(pod: ClusterPod): readonly ContainerStatus[] {
  return pod.containers.filter((status) => status.waiting !== null && PULL_REASONS.has(status.waiting.reason));
}

/** Waiting reasons that are steps of a normal start. */
const STARTING: ReadonlySet<string> = new Set(["ContainerCreating", "PodInitializing", ""]);

/** The first container that waits for more than its turn: CrashLoopBackOff, CreateContainerError … */
export function waitingInVain(pod: ClusterPod): ContainerStatus | null {
  return pod.containers.find((status) => status.waiting !== null && !STARTING.has(status.waiting.reason)) ?? null;
}

/** An init container that runs still, so that the others wait for it. */
export function runningInit(pod: ClusterPod): ContainerStatus | null {
  return pod.containers.find((status) => status.init && status.running !== null && !status.ready) ?? null;
}

/** When the kubelet took the pod, else when it was created. */
export function startOf(pod: ClusterPod): number | null {
  return pod.startTime ?? pod.createdAt;
}

/** The image that the spec names for this container, else the one of its status. */
export function imageOf(pod: ClusterPod, status: ContainerStatus): string {
  return pod.spec.containers.find((container) => container.name === status.name)?.image ?? status.image;
}
