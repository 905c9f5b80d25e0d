// Kubernetes data layer, decoding: a kubelet's `stats/summary`. Field names: k8s.io/kubelet/pkg/apis/stats/v1alpha1.
import type { FileSystemStats, MemoryStats, NodeStats, PodUsage, ProcessStats } from "../node-stats.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf, timeOf } from "./reading.ts";

/** Decodes a summary; null where the value is none (no `node` in it). Never throws. */
export function decodeNodeStats(value: unknown): NodeStats | null {
  const { node, pods } = objectOf(value);
  if (!isObject(node)) return null;
  const memory = isObject(node.memory) ? node.memory : null;
  const runtime = objectOf(node.runtime);
  return {
    measuredAt: timeOf(memory?.time) ?? timeOf(objectOf(node.fs).time),
    memory: memory === null ? null : decodeMemory(memory),
    nodeFs: decodeFileSystem(node.fs),
    imageFs: decodeFileSystem(runtime.imageFs),
    processes: decodeProcesses(node.rlimit),
    stalls: { cpu: stall(node.cpu), memory: stall(memory), io: stall(node.io) },
    pods: listOf(pods).map(decodePod),
  };
}

function decodeMemory(memory: JsonObject): MemoryStats {
  return { availableBytes: amount(memory.availableBytes), workingSetBytes: amount(memory.workingSetBytes) };
}

function decodeFileSystem(value: unknown): FileSystemStats | null {
  if (!isObject(value)) return null;
  return {
    availableBytes: amount(value.availableBytes),
    capacityBytes: amount(value.capacityBytes),
    inodesFree: amount(value.inodesFree),
    inodes: amount(value.inodes),
  };
}

function decodeProcesses(value: unknown): ProcessStats | null {
  return isObject(value) ? { running: amount(value.curproc), limit: amount(value.maxpid) } : null;
}

/** Kernels without pressure information make the kubelet write zeros, or nothing: both say nothing. */
function stall(value: unknown): number | null {
  const some = objectOf(objectOf(objectOf(value).psi).some);
  const waited = amount(some.avg60);
  return waited === null || amount(some.total) === 0 ? null : waited;
}

function decodePod(value: unknown): PodUsage {
  const pod = objectOf(value);
  const ref = objectOf(pod.podRef);
  return {
    namespace: textOf(ref.namespace),
    name: textOf(ref.name),
    memory: amount(objectOf(pod.memory).workingSetBytes),
    disk: amount(objectOf(pod["ephemeral-storage"]).usedBytes),
  };
}

/** A measure; beyond 2^53 bytes nobody counts single ones. */
function amount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}
