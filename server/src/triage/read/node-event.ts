// Triage layer, reading: events of a node itself that warn of a state.
import type { ClusterEvent } from "../../kube/event.ts";
import { isPressure } from "./condition.ts";

/** Reasons that tell of a moment, or that another finding says better. */
const NOT_A_STATE: ReadonlySet<string> = new Set([
  "NodeNotReady",
  "NodeReady",
  "NodeNotSchedulable",
  "NodeSchedulable",
  "Starting",
  "RegisteredNode",
  "RemovingNode",
  "DeletingNode",
  "NodeShutdown",
  "Shutdown",
  // Written once at every start of the kubelet, when the runtime has not answered yet.
  "InvalidDiskCapacity",
  "CheckLimitsForResolvConf",
  "DNSConfigForming",
  "MissingClusterDNS",
  "ScaleDown",
  "CordonFailed",
]);

/** Faults that controllers report as a change of status, of type Normal (nodeipam's RecordNodeStatusChange). */
const FAULT_BY_NAME: ReadonlySet<string> = new Set(["CIDRNotAvailable", "CIDRAssignmentFailed"]);

/** Whether an event of a node warns of a state. */
export function isNodeWarning(event: ClusterEvent): boolean {
  // A container that exceeds its own limit is killed by the kernel too.
  if (/memory cgroup out of memory/i.test(event.message)) return false;
  if (FAULT_BY_NAME.has(event.reason)) return true;
  return event.type === "Warning" && !NOT_A_STATE.has(event.reason);
}

const DISK = /Disk|ImageGC|ContainerGC|FreeDisk|ephemeral-storage|imagefs|nodefs|inode/i;

/** Whether the warning is about what the condition type already says. */
export function belongsToCondition(event: ClusterEvent, type: string): boolean {
  const text = `${event.reason} ${event.message}`;
  if (type === "NetworkUnavailable") return /route|network/i.test(text);
  if (isPressure(type)) {
    if (event.reason === "EvictionThresholdMet") return reclaims(event.message, type);
    if (type === "DiskPressure") return DISK.test(text);
    if (type === "MemoryPressure") return /memory|OOM/i.test(text);
    return /\bpids?\b|process/i.test(text);
  }
  // A node problem detector reports a problem as an event and as a condition under one name.
  const words = type.split(/(?=[A-Z][a-z])/).map((word) => word.toLowerCase());
  const said = text.toLowerCase();
  return (
    words.filter((word) => word.length > 3 && said.includes(word)).length > 0 || /Hung|Deadlock/.test(event.reason)
  );
}

function reclaims(message: string, type: string): boolean {
  if (type === "MemoryPressure") return /reclaim memory/i.test(message);
  if (type === "PIDPressure") return /reclaim pids?/i.test(message);
  return /reclaim (ephemeral-storage|inodes|nodefs|imagefs|containerfs)/i.test(message);
}
