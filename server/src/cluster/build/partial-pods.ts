// Cluster layer, building: whether the pods in a dump are all pods. `kubectl get pods` without -A gives one namespace,
// and every platform pod of the others would look missing.
import { integerOf, type JsonObject, objectOf, textOf } from "../../kube/decode/reading.ts";
import type { ClusterPod } from "../../kube/pod.ts";

/** A DaemonSet whose status counts pods. */
export interface CountedDaemonSet {
  readonly namespace: string;
  readonly name: string;
  readonly pods: number;
}

/** What a DaemonSet's own status counts; null where it counts none. */
export function countedDaemonSet(object: JsonObject): CountedDaemonSet | null {
  const metadata = objectOf(object.metadata);
  const pods = integerOf(objectOf(object.status).currentNumberScheduled) ?? 0;
  return pods > 0 ? { namespace: textOf(metadata.namespace), name: textOf(metadata.name), pods } : null;
}

/**
 * A DaemonSet that counts pods in a namespace of which the dump holds not a single one: the namespace was not dumped.
 * One DaemonSet without pods proves nothing, as its counters lag. null where the pods may be complete.
 */
export function undumpedNamespace(
  counted: readonly CountedDaemonSet[],
  pods: readonly ClusterPod[],
): CountedDaemonSet | null {
  if (counted.length === 0) return null;
  const namespaces = new Set(pods.map(({ namespace }) => namespace));
  return counted.find(({ namespace }) => !namespaces.has(namespace)) ?? null;
}
