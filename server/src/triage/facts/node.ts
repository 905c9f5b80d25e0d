// Triage layer, facts: one node, read once.
import type { CsiNode } from "../../cluster/model.ts";
import type { ClusterEvent } from "../../kube/event.ts";
import type { ClusterNode, NodeCondition } from "../../kube/node.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { isYoung } from "./age.ts";

/** `unstated`: no Ready condition was read, which proves nothing. */
export type Readiness = "True" | "False" | "Unknown" | "unstated";

export interface NodeFacts {
  readonly node: ClusterNode;
  readonly name: string;
  readonly ready: Readiness;
  readonly readyCondition: NodeCondition | null;
  /** The kubelet itself says that the machine shuts down. */
  readonly shuttingDown: boolean;
  /** Made, rebooted or Ready again within the grace time: what is missing may still come. */
  readonly young: boolean;
  /** Pods bound to the node or made for it alone, in every phase. */
  readonly pods: readonly ClusterPod[];
  /** Events about the node object, oldest first. */
  readonly events: readonly ClusterEvent[];
  /** null when CSINodes were not read or there is none for it. */
  readonly csi: CsiNode | null;
}

/** Reads one node. */
export function readNode(
  node: ClusterNode,
  pods: readonly ClusterPod[],
  events: readonly ClusterEvent[],
  csi: CsiNode | null,
  now: number | null,
  graceMs: number,
): NodeFacts {
  const readyCondition = node.conditions.find((condition) => condition.type === "Ready") ?? null;
  const ready = readinessOf(readyCondition);
  const start = lastStart(events);
  const readyAgain = ready === "True" ? (readyCondition?.lastTransitionTime ?? null) : null;
  return {
    node,
    name: node.name,
    ready,
    readyCondition,
    shuttingDown: ready === "False" && /node is shutting down/i.test(readyCondition?.message ?? ""),
    young: [node.createdAt, readyAgain, start].some((time) => isYoung(time, now, graceMs)),
    pods,
    events,
    csi,
  };
}

/** More starts than this in the window of events are a fault of their own, no beginning. */
const STARTS = 3;

/**
 * When the machine or its kubelet last started, as events tell; null when they do not, and where it starts again and
 * again. kube-proxy writes `Starting` too, so the words count.
 */
export function lastStart(events: readonly ClusterEvent[]): number | null {
  const starts = events.filter(
    (event) => event.reason === "Rebooted" || (event.reason === "Starting" && /kubelet/i.test(event.message)),
  );
  const times = starts.reduce((sum, event) => sum + event.count, 0);
  return times >= STARTS ? null : (starts.at(-1)?.lastSeen ?? null);
}

function readinessOf(condition: NodeCondition | null): Readiness {
  switch (condition?.status) {
    case "True":
    case "False":
    case "Unknown":
      return condition.status;
    default:
      return "unstated";
  }
}

/** Whether the kubelet still posts, as far as is known: container states are then its own words. */
export function posts(node: NodeFacts): boolean {
  return node.ready !== "Unknown";
}
