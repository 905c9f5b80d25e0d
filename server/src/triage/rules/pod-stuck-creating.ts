// Triage rule pod-stuck-creating: bound, and no container of it has started for longer than the grace time.
import { isPlatformRole } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import type { NodeFacts } from "../facts/node.ts";
import { isStillPulling } from "../facts/pod-health.ts";
import {
  hasEnded,
  hasStarted,
  podKey,
  podRef,
  pullingInVain,
  runningInit,
  startErrorOf,
  startOf,
  waitingInVain,
} from "../facts/pod-state.ts";
import { type StartFailure, startFailureOf } from "../facts/start-failure.ts";
import { volumeHolders } from "../facts/volume-holders.ts";
import { type Failure, type FailureKind, readStart } from "../read/failure.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * One error per bound pod that does not start, with the cause read from its events. Platform pods are reported as such,
 * failing pulls as that; without events, whose fault it is stays unknown and a warning. What the manifest or the volume itself is to blame for is charged to no node (`node` empty).
 * Silent on an Unknown node: nothing it says is current.
 */
export function podStuckCreating(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.ready === "Unknown") return [];
  return node.pods.flatMap((pod) => {
    const daemonSet = facts.daemonSetOf(pod);
    if ((daemonSet !== null && isPlatformRole(daemonSet.role)) || pod.mirror || !isStuck(facts, pod)) return [];
    return [report(facts, node, pod)];
  });
}

const BAD_COMMAND = /executable file not found|exec: "[^"]*"|exec format error|no such file or directory: unknown$/;

function isStuck(facts: ClusterFacts, pod: ClusterPod): boolean {
  if (pod.spec.nodeName === "" || hasEnded(pod) || pod.deletedAt !== null) return false;
  if (hasStarted(pod) || pullingInVain(pod).length > 0 || runningInit(pod) !== null) return false;
  const waiting = waitingInVain(pod);
  const startError = waiting === null ? null : startErrorOf(waiting);
  // A command that the image does not have is the manifest's, like any crash.
  if (startError !== null && BAD_COMMAND.test(startError)) return false;
  // After the first try the kubelet calls such a pod Running.
  if (pod.phase !== "Pending" && startError === null) return false;
  const reason = startError === null ? (waiting?.waiting?.reason ?? "") : "";
  if (reason !== "" && !reason.startsWith("CreateContainer") && reason !== "CreatePodSandboxError") return false;
  const events = facts.events.ofPod(pod);
  if (isStillPulling(facts, pod)) return false;
  const start = startOf(pod);
  if (start !== null && facts.now !== null) return isOlder(start, facts.now, facts.options.graceMs);
  return events.some(
    (event) =>
      event.type === "Warning" &&
      (event.lastSeen ?? 0) - (event.firstSeen ?? event.lastSeen ?? 0) > facts.options.graceMs,
  );
}

function report(facts: ClusterFacts, node: NodeFacts, pod: ClusterPod): Symptom {
  const waiting = waitingInVain(pod);
  const told = startFailureOf(facts, pod);
  const startError = waiting === null ? null : startErrorOf(waiting);
  const failure = failureOf(told, waiting?.waiting?.reason ?? "", startError ?? waiting?.waiting?.message ?? "");
  const holders = failure.kind === "volume-in-use" ? volumeHolders(facts, pod, failure) : [];
  const charged = !OF_MANIFEST.has(failure.kind) && !sharedByNodes(facts, node, failure);
  const words = failure.text;
  return symptom({
    code: "pod-stuck-creating",
    node: charged ? node.name : "",
    severity: failure.kind === "unknown" && facts.cluster.parts.events !== "known" ? "warning" : "error",
    message: `${podKey(pod)} on ${node.name} has not started${forSince(startOf(pod), facts.now)}: ${reasonOf(failure.kind)}${words === "" ? "" : `: ${quote(words)}`}.`,
    summary: `pods do not start: ${reasonOf(failure.kind)}`,
    advice: adviceOf(
      failure,
      pod,
      node.name,
      holders.map((holder) => podKey(holder)),
    ),
    object: podRef(pod),
    since: startOf(pod),
    evidence: [
      {
        text: `${podKey(pod)} is Pending${waiting === null ? " (ContainerCreating)" : ` (${waiting.waiting?.reason})`}`,
        at: startOf(pod),
        object: podRef(pod),
      },
      ...(told === null ? [] : [eventEvidence(told.event)]),
    ],
    about: {
      pods: [podKey(pod), ...holders.map(podKey)],
      drivers: failure.driver === "" ? [] : [failure.driver],
      elsewhere: holders.map((holder) => holder.spec.nodeName).filter((name) => name !== "" && name !== node.name),
      failure,
      texts: [words],
    },
  });
}

/** Kinds that no node can help. */
const OF_MANIFEST: ReadonlySet<FailureKind> = new Set(["config", "volume-gone", "attacher", "platform"]);

function failureOf(told: StartFailure | null, reason: string, message: string): Failure {
  if (reason === "CreateContainerConfigError") return { ...readStart("Failed", message), kind: "config" };
  if (told !== null && told.failure.kind !== "unknown") return told.failure;
  if (message !== "") return readStart("Failed", message);
  return told?.failure ?? readStart("", "");
}

/** Words for a program or kernel module that the node's own image lacks. */
const LACKS_TOOL =
  /helper program|command not found|executable file not found|not installed|modprobe|kernel module|unknown filesystem type|No such device/i;

/** A server that fails the pods of several nodes in the same words is no fault of theirs. */
function sharedByNodes(facts: ClusterFacts, node: NodeFacts, failure: Failure): boolean {
  if ((failure.kind !== "mount" && failure.kind !== "attach") || LACKS_TOOL.test(failure.text)) return false;
  const words = withoutNames(failure.text);
  for (const other of facts.nodes.values()) {
    if (other.name === node.name) continue;
    const same = other.pods.some(
      (pod) => isStuck(facts, pod) && withoutNames(startFailureOf(facts, pod)?.failure.text ?? "") === words,
    );
    if (same) return true;
  }
  return false;
}

/** The text without quoted names, ids and numbers. */
function withoutNames(text: string): string {
  return text.replace(/"[^"]*"/g, '""').replace(/[a-z]+-[0-9a-f-]{6,}|\d+/g, "0");
}

function reasonOf(kind: FailureKind): string {
  switch (kind) {
    case "sandbox-image":
      return "its sandbox image cannot be pulled";
    case "network":
      return "the network plugin gives it no network";
    case "runtime":
      return "the container runtime does not finish";
    case "runtime-handler":
      return "the runtime does not know the handler of its RuntimeClass";
    case "csi-driver":
      return "the CSI driver of its volume is not registered here";
    case "csi-socket":
      return "the CSI driver of its volume does not answer here";
    case "dra-driver":
      return "the DRA driver of its claim is not registered here";
    case "volume-in-use":
      return "its volume is still held by another pod";
    case "attach-limit":
      return "the machine takes no more volumes";
    case "volume-gone":
      return "its volume or claim does not exist";
    case "config":
      return "its manifest names something that is not there";
    case "devices":
      return "its device cannot be given to it";
    case "no-space":
      return "the node has no space left";
    case "read-only":
      return "the node's file system is read-only";
    case "attacher":
      return "the driver's controller attaches nothing";
    case "platform":
      return "its image is not made for this platform";
    case "attach":
      return "its volume cannot be attached";
    case "mount":
      return "its volume cannot be mounted";
    default:
      return "no event says why";
  }
}

function adviceOf(failure: Failure, pod: ClusterPod, node: string, holders: readonly string[]): string {
  const describe = `kubectl -n ${pod.namespace} describe pod ${pod.name}`;
  switch (failure.kind) {
    case "network":
      return /assign|allocate|no (free|available)|ipam|exhaust/i.test(failure.text)
        ? "The network plugin answers and has no free address: enlarge the subnet, the prefix or the node's limit; Allocatable pods says nothing about addresses."
        : `Look at the network plugin's pod on ${node} and its log; its CNI configuration there names what is called.`;
    case "runtime":
      return `On ${node} look at the container runtime (journalctl -u containerd or crio): it is slow or stuck; the first error counts, "name is reserved" is its echo.`;
    case "volume-in-use":
      return holders.length === 0
        ? "Find the pod or VolumeAttachment that still holds the volume: kubectl get volumeattachments."
        : `The volume is held by ${holders.join(", ")}: for a single-writer volume use strategy Recreate, so that the old pod goes first.`;
    case "attach-limit":
      return "Lower the driver's volume limit: CSINode's count is what the scheduler reads, attachable-volumes-* is a leftover.";
    case "config":
      return `Create what the manifest names, or correct the name: ${describe}`;
    case "volume-gone":
      return `Restore the volume or delete the claim: ${describe}`;
    case "attacher":
      return "Look at the CSI driver's controller (its attacher and provisioner), not at the node: kubectl get pods -A | grep -i csi";
    case "platform":
      return `Build the image for this platform too, or keep the pod off it by node affinity: ${describe}`;
    case "csi-driver":
    case "csi-socket":
      return `Look at the CSI node pod on ${node}: kubectl get csinode ${node} -o yaml`;
    case "runtime-handler":
      return `Configure the handler in the runtime of ${node}, or keep such pods off it by the RuntimeClass's scheduling.`;
    default:
      return describe;
  }
}
