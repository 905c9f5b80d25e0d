// Triage layer, facts: why a bound pod does not start, from its events.
import type { ClusterEvent } from "../../kube/event.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { type Failure, isEcho, readStart } from "../read/failure.ts";
import type { ClusterFacts } from "./cluster.ts";

/** The failure, and the event that tells it. */
export interface StartFailure {
  readonly failure: Failure;
  readonly event: ClusterEvent;
}

/** Events as recent as the newest one tell the present state; an older kind of failure has been overcome. */
const SAME_TIME = 10 * 60_000;

const START_REASONS: ReadonlySet<string> = new Set([
  "FailedCreatePodSandBox",
  "FailedCreatePodSandbox",
  "FailedPodSandBoxStatus",
  "FailedMount",
  "FailedMapVolume",
  "FailedAttachVolume",
  "FailedPrepareDynamicResources",
  "NetworkNotReady",
  "Failed",
  "FailedCreatePodContainer",
  "FailedSync",
  "FailedPostStartHook",
]);

/**
 * The first of the failures that are still going on: later ones are often only its echo ("name is reserved", "timed out
 * waiting"). Failures of attaching are over once an attach has succeeded. Null when no event tells any.
 */
export function startFailureOf(facts: ClusterFacts, pod: ClusterPod): StartFailure | null {
  const events = facts.events.ofPod(pod);
  const attached = Math.max(
    ...events.filter((event) => event.reason === "SuccessfulAttachVolume").map((event) => event.lastSeen ?? 0),
    0,
  );
  const failures = events.filter(
    (event) =>
      event.type === "Warning" &&
      START_REASONS.has(event.reason) &&
      !(event.reason === "FailedAttachVolume" && attached > 0 && (event.lastSeen ?? 0) <= attached),
  );
  const own = failures.filter((event) => !isEcho(event.message));
  const telling = own.length > 0 ? own : failures;
  const newest = Math.max(...telling.map((event) => event.lastSeen ?? 0));
  // A volume that is in use is reported once, and the state lasts.
  const current = telling.filter(
    (event) => event.reason === "FailedAttachVolume" || (event.lastSeen ?? 0) >= newest - SAME_TIME,
  );
  const [event] = [...current].sort((a, b) => (a.firstSeen ?? 0) - (b.firstSeen ?? 0));
  return event === undefined ? null : { event, failure: readStart(event.reason, event.message) };
}
