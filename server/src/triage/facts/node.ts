// Triage layer, facts: one node, read once.
import type { CsiNode } from "../../cluster/model.ts";
import { hostOf, type NodeHost } from "../../coverage/hosting.ts";
import type { ClusterEvent } from "../../kube/event.ts";
import type { ClusterNode, NodeCondition } from "../../kube/node.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { isYoung } from "./age.ts";
import { natureOf } from "./taint-nature.ts";

/** `unstated`: no Ready condition was read, which proves nothing. */
export type Readiness = "True" | "False" | "Unknown" | "unstated";

export interface NodeFacts {
  readonly node: ClusterNode;
  readonly name: string;
  readonly ready: Readiness;
  readonly readyCondition: NodeCondition | null;
  /** The kubelet itself says that the machine shuts down. */
  readonly shuttingDown: boolean;
  /** It is being deleted, shuts down, or carries a taint that says so: nothing is missed on it. */
  readonly leaves: boolean;
  readonly host: NodeHost;
  readonly hardTaints: readonly Taint[];
  /** Equal for nodes with the same hard taints in the same order, times aside. */
  readonly taintsKey: string;
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
  const shuttingDown = ready === "False" && /node is shutting down/i.test(readyCondition?.message ?? "");
  return {
    node,
    name: node.name,
    ready,
    readyCondition,
    shuttingDown,
    ...readTaints(node, shuttingDown),
    young: [node.createdAt, readyAgain, start].some((time) => isYoung(time, now, graceMs)),
    pods,
    events,
    csi,
  };
}

/** The facts as they would be if the node had the taints of `node`. */
export function withTaintsOf(facts: NodeFacts, node: ClusterNode): NodeFacts {
  return { ...facts, node, ...readTaints(node, facts.shuttingDown) };
}

/** What the taints decide; rules ask it for every DaemonSet. */
function readTaints(
  node: ClusterNode,
  shuttingDown: boolean,
): Pick<NodeFacts, "leaves" | "host" | "hardTaints" | "taintsKey"> {
  const hardTaints = node.taints.filter((taint) => isHardEffect(taint.effect));
  return {
    leaves: node.deletedAt !== null || shuttingDown || node.taints.some(saysItLeaves),
    host: hostOf(node),
    hardTaints,
    taintsKey: hardTaints.map(formatTaint).join(","),
  };
}

function saysItLeaves(taint: Taint): boolean {
  return natureOf(taint) === "leaving" && taint.effect !== "PreferNoSchedule";
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
