// Triage layer, facts: why a controller could not create its pods.
import type { ClusterEvent } from "../../kube/event.ts";
import type { ObjectRef } from "../../kube/workload.ts";
import { isOlder } from "./age.ts";
import type { ClusterFacts } from "./cluster.ts";
import { findHelpers } from "./helpers.ts";
import { podRef } from "./pod-state.ts";
import { tellingWords } from "./words.ts";

/** Refused creations, and where their cause lies. */
export interface FailedCreate {
  readonly event: ClusterEvent;
  readonly summary: string;
  readonly object: ObjectRef | null;
  readonly advice: string;
}

/** The controller retries with growing pauses of at most a quarter of an hour or so. */
const CURRENT = 30 * 60_000;

/** The newest current FailedCreate event of an object; null when there is none. */
export function failedCreateOf(facts: ClusterFacts, ref: ObjectRef): FailedCreate | null {
  const event = facts.events
    .of(ref.kind, ref.namespace ?? "", ref.name ?? "")
    .filter((entry) => entry.reason === "FailedCreate" && !isOlder(entry.lastSeen, facts.now, CURRENT))
    .at(-1);
  if (event === undefined) return null;
  return { event, ...causeOf(facts, event.message) };
}

function causeOf(facts: ClusterFacts, message: string): Omit<FailedCreate, "event"> {
  const quota = /exceeded quota: ([^,]+)/.exec(message)?.[1];
  if (quota !== undefined) {
    return {
      summary: `quota ${quota} is used up`,
      object: null,
      advice: `Raise the quota: kubectl describe resourcequota ${quota}`,
    };
  }
  if (/webhook/i.test(message)) return webhookCause(facts, message);
  if (/PodSecurity|pod security/i.test(message)) {
    return {
      summary: "pod security refuses the pod",
      object: null,
      advice: "Set the namespace's pod-security label to the level that this DaemonSet needs (usually privileged).",
    };
  }
  return {
    summary: "the API server refuses the pod",
    object: null,
    advice: "Read the controller's FailedCreate event: it quotes the API server.",
  };
}

/** Names the webhook's own pod where it is seen not to work. */
function webhookCause(facts: ClusterFacts, message: string): Omit<FailedCreate, "event"> {
  const name = /webhook "([^"]+)"/.exec(message)?.[1] ?? "a webhook";
  const service = /https:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.svc/.exec(message);
  const denied = /denied the request/i.test(message);
  const advice = denied
    ? "Read what the webhook says: its policy does not admit this pod."
    : "Look at the webhook's pods; until they run, exclude the namespace in the webhook's configuration.";
  const summary = denied ? `admission webhook ${name} denies the pod` : `admission webhook ${name} does not answer`;
  if (service === null || denied) return { summary, object: null, advice };
  const words = tellingWords(service[1] ?? "").map((word) => new RegExp(word));
  const { broken } = findHelpers(facts, words.length > 0 ? words : [/webhook/], service[2] ?? null);
  return { summary, object: broken === null ? null : podRef(broken.pod), advice };
}
