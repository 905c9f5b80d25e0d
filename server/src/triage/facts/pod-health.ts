// Triage layer, facts: whether a pod works, and in whose words it does not.
import type { ClusterPod, ContainerStatus } from "../../kube/pod.ts";
import { isOlder, isYoung } from "./age.ts";
import type { ClusterFacts } from "./cluster.ts";
import { hasEnded, pullingInVain, runningInit, startOf, waitingInVain } from "./pod-state.ts";

/** How a living pod fails to work. */
export interface Ailment {
  readonly kind: "image" | "crash" | "unscheduled" | "starting" | "init" | "not-ready" | "create";
  /** The container concerned; null when it is about the whole pod. */
  readonly container: ContainerStatus | null;
  /** The reason as Kubernetes names it. */
  readonly reason: string;
  /** The component's own words: the last exit's message, the waiting message. Empty when there are none. */
  readonly words: string;
  readonly since: number | null;
}

/**
 * What is wrong with a living pod, told from container states and not from its Ready condition, which the node
 * controller overwrites. `trustReady`: whether a container that runs and is not ready counts (not on a node that is
 * NotReady: its probes fail with the node). Null when it works or may still start.
 */
export function ailmentOf(facts: ClusterFacts, pod: ClusterPod, trustReady: boolean): Ailment | null {
  const { graceMs } = facts.options;
  if (hasEnded(pod)) return null;
  const [pull] = pullingInVain(pod);
  if (pull !== undefined)
    return ailment("image", pull, pull.waiting?.reason ?? "", pull.waiting?.message ?? "", startOf(pod));
  const waiting = waitingInVain(pod);
  if (waiting !== null) {
    const crash = waiting.waiting?.reason === "CrashLoopBackOff";
    const words = crash ? lastWords(waiting) : (waiting.waiting?.message ?? "");
    const since = crash ? crashingSince(facts, pod, waiting) : startOf(pod);
    return ailment(crash ? "crash" : "create", waiting, waiting.waiting?.reason ?? "", words, since);
  }
  const looping = pod.containers.find((status) => isCrashLooping(facts, status));
  if (looping !== undefined) {
    return ailment("crash", looping, "restarts", lastWords(looping), crashingSince(facts, pod, looping));
  }
  const old = isOlder(startOf(pod), facts.now, graceMs) || hasOldTrouble(facts, pod);
  if (!old) return null;
  const init = runningInit(pod);
  if (init !== null && isOlder(init.running?.startedAt ?? startOf(pod), facts.now, graceMs)) {
    return ailment("init", init, "init container still runs", "", init.running?.startedAt ?? null);
  }
  if (pod.spec.nodeName === "") return ailment("unscheduled", null, "Pending", "", startOf(pod));
  if (pod.phase === "Pending") {
    return isStillPulling(facts, pod) ? null : ailment("starting", null, "ContainerCreating", "", startOf(pod));
  }
  if (!trustReady) return null;
  const unready = pod.containers.find(
    (status) =>
      !status.init &&
      !status.ready &&
      status.running !== null &&
      !isYoung(status.running.startedAt, facts.now, graceMs),
  );
  if (unready !== undefined) return ailment("not-ready", unready, "not ready", "", null);
  const stopped = pod.containers.find((status) => !status.init && status.terminated !== null);
  if (stopped !== undefined)
    return ailment("crash", stopped, stopped.terminated?.reason ?? "", lastWords(stopped), null);
  return null;
}

/** Whether the last word of the pod is that an image is being pulled, and nothing has gone wrong: a large one takes its time. */
export function isStillPulling(facts: ClusterFacts, pod: ClusterPod): boolean {
  const events = facts.events.ofPod(pod);
  return events.at(-1)?.reason === "Pulling" && events.every((event) => event.type !== "Warning");
}

function ailment(
  kind: Ailment["kind"],
  container: ContainerStatus | null,
  reason: string,
  words: string,
  since: number | null,
): Ailment {
  return { kind, container, reason, words, since };
}

/** Without a start time: warnings that repeat over more than the grace time prove the age. */
function hasOldTrouble(facts: ClusterFacts, pod: ClusterPod): boolean {
  if (startOf(pod) !== null && facts.now !== null) return false;
  return facts.events
    .ofPod(pod)
    .some(
      (event) =>
        event.type === "Warning" &&
        event.firstSeen !== null &&
        event.lastSeen !== null &&
        event.lastSeen - event.firstSeen > facts.options.graceMs,
    );
}

/** Between two crashes a container runs, and may even be ready: many restarts, the last one just now, after a failure. */
function isCrashLooping(facts: ClusterFacts, status: ContainerStatus): boolean {
  const { graceMs } = facts.options;
  const end = status.lastTerminated ?? status.terminated;
  if (end === null || status.restartCount < 5 || end.exitCode === 0) return false;
  // What a reboot has ended is told with this reason.
  if (end.reason === "Unknown" || end.reason === "ContainerStatusUnknown") return false;
  return isYoung(end.finishedAt, facts.now, graceMs) && !(status.ready && status.restartCount < 10);
}

/**
 * When the crashes began: with the pod where it never worked, else with the first of the kubelet's warnings about it. The
 * pod's own start tells nothing where it worked for weeks; null: cannot be told.
 */
function crashingSince(facts: ClusterFacts, pod: ClusterPod, status: ContainerStatus): number | null {
  const start = startOf(pod);
  const ready = pod.conditions.find(({ type }) => type === "Ready");
  const turned = ready?.status === "False" ? ready.lastTransitionTime : null;
  const never = start !== null && turned !== null && turned - start < facts.options.graceMs;
  const always = start !== null && facts.now !== null && facts.now - start < 2 * leastTimeOf(status.restartCount);
  if (status.init || pod.phase === "Pending" || never || always) return start;
  const warned = facts.events
    .ofPod(pod)
    .flatMap(({ reason, firstSeen }) => (reason === "BackOff" && firstSeen !== null ? [firstSeen] : []));
  return warned.length === 0 ? null : Math.min(...warned);
}

/**
 * Milliseconds that so many restarts take at least: the pauses double from 10 s up to 5 minutes.
 * Source: k8s.io/kubernetes/pkg/kubelet (MaxCrashLoopBackOff, initialCrashLoopBackOff).
 */
function leastTimeOf(restarts: number): number {
  let pause = 10_000;
  let whole = 0;
  for (let restart = 0; restart < Math.min(restarts, 5); restart += 1) {
    whole += pause;
    pause *= 2;
  }
  return whole + Math.max(0, restarts - 5) * 300_000;
}

function lastWords(status: ContainerStatus): string {
  const end = status.lastTerminated ?? status.terminated;
  if (end === null) return "";
  if (end.message !== "") return end.message;
  return end.reason === "" || end.reason === "Error" ? `exit code ${end.exitCode}` : end.reason;
}
