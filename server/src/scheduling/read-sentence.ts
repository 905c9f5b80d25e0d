// Scheduling layer: the scheduler's sentence read back from an event or a pod's condition, in every wording.

/** What a reason of the sentence is about. */
export type SentenceReasonKind =
  | "taint"
  | "unschedulable"
  | "affinity"
  | "resource"
  | "pods"
  | "volume"
  | "pod-affinity"
  | "topology-spread"
  | "ports"
  | "claim"
  | "other";

export interface SentenceReason {
  /** Number of nodes; null where the reason is for the pod as a whole. */
  readonly nodes: number | null;
  readonly text: string;
  readonly kind: SentenceReasonKind;
  /** The taint named by older schedulers. */
  readonly taint: { readonly key: string; readonly value: string } | null;
  /** The resource that is short. */
  readonly resource: string | null;
}

export interface SchedulerSentence {
  /** Nodes the scheduler looked at. */
  readonly total: number;
  readonly reasons: readonly SentenceReason[];
  /** What it says of preemption; empty when nothing. */
  readonly preemption: string;
}

const HEAD = /\b0\/(\d+) nodes are available:? ?/;
const NAMED_TAINT = /(?:untolerated taint|had taints?) \{([^:}]*): ?([^}]*)\}/;

const KINDS: readonly (readonly [SentenceReasonKind, RegExp])[] = [
  ["taint", /untolerated taint|had taints? |that the pod didn't tolerate/],
  ["unschedulable", /were unschedulable|node\(s\) unschedulable/],
  ["volume", /persistent volume|PersistentVolume|volume|CSI driver|available disk|free storage/],
  ["pod-affinity", /pod affinity|anti-affinity/],
  [
    "affinity",
    /node affinity|node selector|didn't satisfy plugin\(s\) \[NodeAffinity\]|didn't match the requested node name/,
  ],
  ["pods", /Too many pods/],
  ["resource", /Insufficient /],
  ["topology-spread", /topology spread/],
  ["ports", /free ports/],
  ["claim", /resource claim|ResourceClaim|resourceclaim|cannot allocate all claims/],
];

/**
 * Reads a FailedScheduling message or a PodScheduled condition; null when it is not this sentence. The taint is named
 * only by schedulers before 1.35; the wording before 1.24 is read as well.
 */
export function readSchedulerSentence(message: string): SchedulerSentence | null {
  const head = HEAD.exec(message);
  if (head === null) return null;
  const rest = message.slice(head.index + head[0].length);
  const preemptionAt = rest.search(/(?:no new claims to deallocate, )?preemption: /);
  const body = preemptionAt < 0 ? rest : rest.slice(0, preemptionAt);
  return {
    total: Number(head[1]),
    reasons: splitReasons(body.trim().replace(/\.+$/, "")).map(readReason),
    preemption: preemptionAt < 0 ? "" : rest.slice(preemptionAt).replace(/\.+$/, ""),
  };
}

/** Reasons are joined by a comma, which some reasons hold themselves: a new one begins with its count. */
function splitReasons(body: string): readonly string[] {
  return body === "" ? [] : body.split(/[,.] (?=\d+ )/);
}

function readReason(text: string): SentenceReason {
  const counted = /^(\d+) (.*)$/s.exec(text);
  const reason = counted?.[2] ?? text;
  const named = NAMED_TAINT.exec(reason);
  return {
    nodes: counted === null ? null : Number(counted[1]),
    text: reason,
    kind: KINDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? "other",
    taint: named === null ? null : { key: named[1] ?? "", value: named[2] ?? "" },
    resource: /^Insufficient (\S+)$/.exec(reason)?.[1] ?? null,
  };
}
