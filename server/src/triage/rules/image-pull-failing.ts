// Triage rule image-pull-failing: an image, a pod's or the sandbox's, cannot be pulled on this node.

import { isPlatformRole } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import type { NodeFacts } from "../facts/node.ts";
import { hasEnded, hasStarted, imageOf, podKey, podRef, pullingInVain } from "../facts/pod-state.ts";
import { severityOf } from "../facts/severity-of-role.ts";
import { startFailureOf } from "../facts/start-failure.ts";
import { type Failure, type FailureKind, readPull } from "../read/failure.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { count, quote } from "../wording/list.ts";

/**
 * One error per pod whose image cannot be pulled here, and one for the sandbox image. A pod whose image is wrong, or
 * whose registry refuses or fails everybody, is charged to no node (`node` empty), unless it is a platform pod: the node
 * lacks it whoever is at fault. Silent on an Unknown node.
 */
export function imagePullFailing(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.ready === "Unknown") return [];
  const living = node.pods.filter((pod) => !hasEnded(pod) && pod.deletedAt === null && pod.spec.nodeName !== "");
  return [...living.flatMap((pod) => ownImage(facts, node, pod) ?? []), ...sandboxImage(facts, node, living)];
}

function ownImage(facts: ClusterFacts, node: NodeFacts, pod: ClusterPod): Symptom | null {
  const [status] = pullingInVain(pod);
  if (status === undefined) return null;
  const image = imageOf(pod, status);
  const events = facts.events
    .ofPod(pod)
    .filter((event) => event.type === "Warning" && /pull|image/i.test(`${event.reason} ${event.message}`));
  const failure = readPull(
    [status.waiting?.reason ?? "", status.waiting?.message ?? "", ...events.map((event) => event.message)].join(" "),
  );
  const daemonSet = facts.daemonSetOf(pod);
  const platform = daemonSet !== null && isPlatformRole(daemonSet.role);
  const charged = platform || isOfNode(facts, failure.kind, image, node.name);
  const words = status.waiting?.message || events.at(-1)?.message || status.waiting?.reason || "";
  return symptom({
    code: "image-pull-failing",
    node: charged ? node.name : "",
    severity: platform ? severityOf(daemonSet) : "error",
    message: `${podKey(pod)} cannot pull ${image} on ${node.name}: ${reasonOf(failure.kind)}: ${quote(words)}.`,
    summary: `${image} cannot be pulled: ${reasonOf(failure.kind)}`,
    advice: adviceOf(failure.kind, image, node.name),
    object: podRef(pod),
    evidence: [
      {
        text: `${podKey(pod)}, container ${status.name}: ${status.waiting?.reason ?? ""} ${quote(words)}`,
        at: events.at(-1)?.lastSeen ?? pod.startTime,
        object: podRef(pod),
      },
      ...events.slice(-1).map(eventEvidence),
    ],
    about: { pods: [podKey(pod)], failure, texts: [failure.text], daemonSet: daemonSet?.key ?? "" },
  });
}

/** Whether the node, not the image's name or the registry, is at fault. */
function isOfNode(facts: ClusterFacts, kind: FailureKind, image: string, node: string): boolean {
  const elsewhere = [...facts.index.imageRunsOn(image)].some((name) => name !== node);
  switch (kind) {
    case "rate-limit":
    case "no-space":
    case "read-only":
      return true;
    case "platform":
      return false;
    case "not-found":
    case "denied":
      return elsewhere;
    default:
      return elsewhere || facts.index.imageFailsOn(image).size <= 1;
  }
}

function reasonOf(kind: FailureKind): string {
  switch (kind) {
    case "rate-limit":
      return "the registry limits pulls";
    case "no-space":
      return "the node has no space for it";
    case "read-only":
      return "the node's file system is read-only";
    case "platform":
      return "the image has no build for this platform";
    case "not-found":
      return "the registry has no such image";
    case "denied":
      return "the registry refuses these credentials";
    case "certificate":
      return "the registry's certificate is not trusted";
    case "registry-unreachable":
      return "the registry does not answer";
    default:
      return "the pull fails";
  }
}

function adviceOf(kind: FailureKind, image: string, node: string): string {
  switch (kind) {
    case "rate-limit":
      return "Pull through a mirror or with an account of your own; the limit counts per address and goes with time.";
    case "no-space":
      return `Free space on ${node} (df -h, crictl rmi --prune), use a larger image disk, or make the image smaller.`;
    case "read-only":
      return `Look at the disk of ${node}: dmesg -T | grep -i remount.`;
    case "platform":
      return `Build ${image} for this architecture too, or keep the pod off it by node affinity.`;
    case "not-found":
      return `Correct the image's name or tag: ${image}`;
    case "denied":
      return `Give the pod's service account an imagePullSecret for the registry of ${image}, or renew the node's own credentials.`;
    case "certificate":
      return `Let ${node} trust the registry's authority, or renew the registry's certificate.`;
    default:
      return `Try the pull on ${node} by hand: crictl pull ${image}`;
  }
}

function sandboxImage(facts: ClusterFacts, node: NodeFacts, living: readonly ClusterPod[]): readonly Symptom[] {
  const stuck = living.flatMap((pod) => {
    if (hasStarted(pod) || pod.phase !== "Pending") return [];
    const start = startFailureOf(facts, pod);
    return start?.failure.kind === "sandbox-image" ? [{ pod, start }] : [];
  });
  const [first] = stuck;
  if (first === undefined) return [];
  const failure: Failure = first.start.failure;
  const image = /image ["']([^"']+)["']/.exec(failure.text)?.[1] ?? "the sandbox image";
  const pull = readPull(failure.text);
  return [
    symptom({
      code: "image-pull-failing",
      node: node.name,
      severity: "error",
      message: `The runtime of ${node.name} cannot pull the sandbox image ${image}: ${reasonOf(pull.kind)}; ${count(stuck.length, "pod")} cannot start because of it.`,
      consequence: "Running pods go on; no new pod starts here, whatever its own image is.",
      summary: `sandbox image ${image} cannot be pulled: ${reasonOf(pull.kind)}`,
      advice: `This is the runtime's own image: give the runtime (not the pods) credentials for its registry or another address in its configuration, or load it: crictl pull ${image}`,
      evidence: stuck.slice(0, 2).map((entry) => eventEvidence(entry.start.event)),
      about: { pods: stuck.map((entry) => podKey(entry.pod)), failure, texts: [failure.text] },
    }),
  ];
}
