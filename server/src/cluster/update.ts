// Cluster layer: new models from old ones. Everything that does not change is shared with the old model.
import type { CsiDriver, CsiNode } from "../kube/csi.ts";
import type { DeviceClass, ResourceSlice } from "../kube/device.ts";
import type { ClusterEvent } from "../kube/event.ts";
import type { NodeLease } from "../kube/lease.ts";
import type { Namespace } from "../kube/namespace.ts";
import type { ClusterNode } from "../kube/node.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { RuntimeClass } from "../kube/runtime-class.ts";
import type { Workload } from "../kube/workload.ts";
import type { ClusterModel, ClusterPart, PartState } from "./model.ts";

/** Objects that came or changed, by part. Of two with one identity the later one counts. */
export interface ClusterObjects {
  readonly nodes?: readonly ClusterNode[];
  readonly workloads?: readonly Workload[];
  readonly pods?: readonly ClusterPod[];
  readonly namespaces?: readonly Namespace[];
  readonly events?: readonly ClusterEvent[];
  readonly csiNodes?: readonly CsiNode[];
  readonly csiDrivers?: readonly CsiDriver[];
  readonly runtimeClasses?: readonly RuntimeClass[];
  readonly deviceClasses?: readonly DeviceClass[];
  readonly resourceSlices?: readonly ResourceSlice[];
  readonly leases?: readonly NodeLease[];
}

/** The identity of an object that went. */
export interface RemovedObject {
  readonly namespace: string;
  readonly name: string;
}

/** What went, by part; workloads name their kind too. */
export interface RemovedObjects {
  readonly nodes?: readonly string[];
  readonly workloads?: readonly (RemovedObject & { readonly kind: string })[];
  readonly pods?: readonly RemovedObject[];
  readonly namespaces?: readonly string[];
  readonly events?: readonly RemovedObject[];
  readonly csiNodes?: readonly string[];
  readonly csiDrivers?: readonly string[];
  readonly runtimeClasses?: readonly string[];
  readonly deviceClasses?: readonly string[];
  readonly resourceSlices?: readonly string[];
  readonly leases?: readonly string[];
}

/** One step from a model to the next; removals apply before additions. */
export interface ClusterChanges {
  readonly set?: ClusterObjects;
  readonly remove?: RemovedObjects;
  readonly observedAt?: number;
  readonly parts?: Readonly<Partial<Record<ClusterPart, PartState>>>;
  readonly serverVersion?: string;
}

/**
 * The model after the changes. Lists that no change touches stay the same objects, so that whoever memoises by them
 * keeps what is known. Costs one pass over each touched list, however many changes it takes: collect changes first.
 */
export function updateModel(model: ClusterModel, changes: ClusterChanges): ClusterModel {
  const set = changes.set ?? {};
  const remove = changes.remove ?? {};
  const { observedAtLeast, ...rest } = model;
  const isDerived = observedAtLeast === true && changes.observedAt === undefined;
  return {
    ...rest,
    ...(isDerived ? { observedAtLeast } : {}),
    observedAt: changes.observedAt ?? model.observedAt,
    serverVersion: changes.serverVersion ?? model.serverVersion,
    parts: changes.parts === undefined ? model.parts : { ...model.parts, ...changes.parts },
    nodes: updateMap(model.nodes, set.nodes, remove.nodes, nameOf, true),
    workloads: updateList(model.workloads, set.workloads, remove.workloads, workloadKey),
    pods: updateList(model.pods, set.pods, remove.pods, namespacedKey),
    namespaces: updateMap(model.namespaces, set.namespaces, remove.namespaces, nameOf),
    events: updateList(model.events, set.events, remove.events, namespacedKey),
    csiNodes: updateMap(model.csiNodes, set.csiNodes, remove.csiNodes, nameOf),
    csiDrivers: updateMap(model.csiDrivers, set.csiDrivers, remove.csiDrivers, nameOf),
    runtimeClasses: updateMap(model.runtimeClasses, set.runtimeClasses, remove.runtimeClasses, nameOf),
    deviceClasses: updateList(model.deviceClasses, set.deviceClasses, named(remove.deviceClasses), nameOf),
    resourceSlices: updateList(model.resourceSlices, set.resourceSlices, named(remove.resourceSlices), nameOf),
    leases: updateMap(model.leases, set.leases, remove.leases, (lease) => lease.nodeName),
  };
}

interface Named {
  readonly name: string;
}

function nameOf(object: Named): string {
  return object.name;
}

function named(names: readonly string[] | undefined): readonly Named[] | undefined {
  return names?.map((name) => ({ name }));
}

function namespacedKey(object: RemovedObject): string {
  return `${object.namespace}\0${object.name}`;
}

function workloadKey(workload: Pick<Workload, "kind" | "namespace" | "name">): string {
  return `${workload.kind}\0${workload.namespace ?? ""}\0${workload.name ?? ""}`;
}

/** Replaced items keep their place, new ones come last. */
function updateList<T extends K, K>(
  items: readonly T[],
  set: readonly T[] | undefined,
  remove: readonly K[] | undefined,
  keyOf: (item: K) => string,
): readonly T[] {
  if (!set?.length && !remove?.length) return items;
  const removed = new Set((remove ?? []).map(keyOf));
  const pending = new Map((set ?? []).map((item) => [keyOf(item), item]));
  const updated: T[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const replacement = pending.get(key);
    if (replacement !== undefined) {
      updated.push(replacement);
      pending.delete(key);
    } else if (!removed.has(key)) {
      updated.push(item);
    }
  }
  return [...updated, ...pending.values()];
}

function updateMap<T>(
  items: ReadonlyMap<string, T>,
  set: readonly T[] | undefined,
  remove: readonly string[] | undefined,
  keyOf: (item: T) => string,
  sorted = false,
): ReadonlyMap<string, T> {
  if (!set?.length && !remove?.length) return items;
  const updated = new Map(items);
  for (const key of remove ?? []) updated.delete(key);
  const isNew = (set ?? []).some((item) => !updated.has(keyOf(item)));
  for (const item of set ?? []) updated.set(keyOf(item), item);
  return sorted && isNew ? sortedByKey(updated) : updated;
}

/** The same entries, sorted by key in code unit order. */
export function sortedByKey<T>(items: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  if (isSorted(items.keys())) return items;
  return new Map([...items].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

function isSorted(keys: Iterable<string>): boolean {
  let last = "";
  for (const key of keys) {
    if (key < last) return false;
    last = key;
  }
  return true;
}
