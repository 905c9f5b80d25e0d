// Change layer: what keeps a pod of a rollout from running, in the kubelet's or scheduler's own words.
import type { ClusterPod, ContainerStatus } from "../kube/pod.ts";
import { imageOf, pullingInVain, waitingInVain } from "../triage/facts/pod-state.ts";

/** Characters of somebody else's message. */
const QUOTED = 200;

/** `agent-x7: image registry/agent:2 cannot be pulled (ImagePullBackOff): …`; null while it starts as it should. */
export function podTrouble(pod: ClusterPod): string | null {
  const [pull] = pullingInVain(pod);
  if (pull?.waiting != null) {
    const { reason, message } = pull.waiting;
    return `${pod.name}: image ${imageOf(pod, pull)} cannot be pulled (${reason})${behind(message)}`;
  }
  const waiting = waitingInVain(pod);
  if (waiting?.waiting != null) {
    const { reason, message } = waiting.waiting;
    const why = reason === "CrashLoopBackOff" ? lastEnd(waiting) : message;
    return `${pod.name}: container ${waiting.name} does not start (${reason})${behind(why)}`;
  }
  const scheduled = pod.conditions.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") return `${pod.name}: on no node yet${behind(scheduled.message)}`;
  return null;
}

function lastEnd({ lastTerminated, restartCount }: ContainerStatus): string {
  if (lastTerminated === null) return `${restartCount} restarts`;
  const { exitCode, reason, message } = lastTerminated;
  return `${restartCount} restarts, the last ended with ${exitCode} (${reason})${behind(message)}`;
}

function behind(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  return `: ${line.length > QUOTED ? `${line.slice(0, QUOTED - 1)}…` : line}`;
}
