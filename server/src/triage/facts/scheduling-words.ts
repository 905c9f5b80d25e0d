// Triage layer, facts: what the scheduler says of a pod that waits.
import type { ClusterPod } from "../../kube/pod.ts";
import { readSchedulerSentence, type SchedulerSentence } from "../../scheduling/read-sentence.ts";
import type { ClusterFacts } from "./cluster.ts";

export interface SchedulingWords {
  readonly text: string;
  /** null when the text is not the scheduler's usual sentence. */
  readonly sentence: SchedulerSentence | null;
  readonly first: number | null;
  readonly last: number | null;
}

/** The newest FailedScheduling event, else the PodScheduled condition; null when neither speaks. */
export function schedulingWords(facts: ClusterFacts, pod: ClusterPod): SchedulingWords | null {
  const events = facts.events.ofPod(pod).filter((event) => event.reason === "FailedScheduling");
  const newest = events.at(-1);
  if (newest !== undefined) {
    const first = Math.min(...events.map((event) => event.firstSeen ?? event.lastSeen ?? Number.POSITIVE_INFINITY));
    return {
      text: newest.message,
      sentence: readSchedulerSentence(newest.message),
      first: Number.isFinite(first) ? first : null,
      last: newest.lastSeen,
    };
  }
  const condition = pod.conditions.find((entry) => entry.type === "PodScheduled" && entry.status === "False");
  if (condition === undefined || condition.message === "") return null;
  return {
    text: condition.message,
    sentence: readSchedulerSentence(condition.message),
    first: condition.lastTransitionTime,
    last: null,
  };
}
