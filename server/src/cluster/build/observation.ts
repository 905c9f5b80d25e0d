// Cluster layer, building: when a dump was taken, told from the times inside of it.
//
// Clocks of nodes may be wrong, so what the server side wrote counts first: creation and deletion, managed fields,
// events and conditions of controllers and of the scheduler. What a kubelet writes counts only where there is nothing else.
import { integerOf, isObject, type JsonObject, listOf, objectOf, textOf, timeOf } from "../../kube/decode/reading.ts";

/** The newest times seen so far, milliseconds since the epoch. */
export interface SeenTimes {
  readonly server: number | null;
  /** Heartbeats, leases, events and container states: the clocks of nodes. */
  readonly nodes: number | null;
}

export const NO_TIMES: SeenTimes = { server: null, nodes: null };

/** Conditions of nodes and pods that no kubelet writes. */
const SERVER_CONDITIONS: ReadonlySet<string> = new Set(["PodScheduled", "DisruptionTarget"]);
/** Reasons by which the node lifecycle controller marks what a silent kubelet no longer reports. */
const SERVER_REASONS: ReadonlySet<string> = new Set(["NodeStatusUnknown", "NodeStatusNeverUpdated"]);
const WORKLOAD_KINDS: ReadonlySet<string> = new Set([
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "ReplicationController",
]);

/** The observation time that the times show; null where there is none. */
export function observationTime(times: SeenTimes): number | null {
  return times.server ?? times.nodes;
}

/** The newest times, those of an object of the API included. */
export function seeTimes(times: SeenTimes, object: JsonObject): SeenTimes {
  const kind = textOf(object.kind);
  const metadata = objectOf(object.metadata);
  const status = objectOf(object.status);
  const server: (number | null)[] = [
    times.server,
    timeOf(metadata.creationTimestamp),
    deletionRequest(metadata),
    ...listOf(metadata.managedFields).map((field) => timeOf(objectOf(field).time)),
  ];
  const nodes: (number | null)[] = [times.nodes];
  if (kind === "Event") (isOfNode(object) ? nodes : server).push(...eventTimes(object));
  if (kind === "Lease") nodes.push(timeOf(objectOf(object.spec).renewTime));
  if (kind === "Node")
    server.push(...listOf(objectOf(object.spec).taints).map((taint) => timeOf(objectOf(taint).timeAdded)));
  for (const condition of listOf(status.conditions).filter(isObject)) {
    const ofServer = WORKLOAD_KINDS.has(kind) || isOfServer(condition);
    (ofServer ? server : nodes).push(timeOf(condition.lastTransitionTime), timeOf(condition.lastUpdateTime));
    nodes.push(timeOf(condition.lastHeartbeatTime));
  }
  if (WORKLOAD_KINDS.has(kind)) {
    server.push(timeOf(status.startTime), timeOf(status.completionTime), timeOf(status.lastScheduleTime));
  }
  if (kind === "Pod") nodes.push(timeOf(status.startTime));
  return { server: newest(server), nodes: newest(nodes) };
}

function isOfServer(condition: JsonObject): boolean {
  return SERVER_CONDITIONS.has(textOf(condition.type)) || SERVER_REASONS.has(textOf(condition.reason));
}

/** `deletionTimestamp` lies in the future by the grace period; the request was before. */
function deletionRequest(metadata: JsonObject): number | null {
  const deleted = timeOf(metadata.deletionTimestamp);
  if (deleted === null) return null;
  return deleted - (integerOf(metadata.deletionGracePeriodSeconds) ?? 0) * 1000;
}

/** Agents on nodes name their host. */
function isOfNode(event: JsonObject): boolean {
  const source = objectOf(event.source ?? event.deprecatedSource);
  const component = textOf(source.component) || textOf(event.reportingComponent) || textOf(event.reportingController);
  return textOf(source.host) !== "" || component === "kubelet" || component === "kube-proxy";
}

function eventTimes(event: JsonObject): readonly (number | null)[] {
  return [
    timeOf(event.lastTimestamp ?? event.deprecatedLastTimestamp),
    timeOf(event.eventTime),
    timeOf(objectOf(event.series).lastObservedTime),
  ];
}

function newest(times: readonly (number | null)[]): number | null {
  return times.reduce((latest, time) => (time !== null && (latest === null || time > latest) ? time : latest), null);
}
