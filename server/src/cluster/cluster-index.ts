// Cluster layer: look-ups over a model's lists, each made when first asked for.
import type { ClusterEvent } from "../kube/event.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";
import type { ClusterModel } from "./model.ts";

/** Look-ups over one model. All answers keep the model's order. */
export interface ClusterIndex {
  /** Pods bound to a node (spec.nodeName). */
  podsOn(node: string): readonly ClusterPod[];
  /** Pods bound to no node. */
  readonly unboundPods: readonly ClusterPod[];
  /** Pods whose controller reference has this uid. */
  podsOf(controllerUid: string): readonly ClusterPod[];
  pod(namespace: string, name: string): ClusterPod | null;
  /** Events about an object; `namespace` is empty for cluster-scoped objects. */
  eventsAbout(kind: string, namespace: string, name: string): readonly ClusterEvent[];
  readonly daemonSets: readonly Workload[];
  workload(kind: string, namespace: string | null, name: string): Workload | null;
  workloadByUid(uid: string): Workload | null;
}

/** Gives each model its index, made once while the model is in use. */
export interface ClusterIndexes {
  of(model: ClusterModel): ClusterIndex;
}

/** A store of indexes; it keeps none alive longer than its model. */
export function createClusterIndexes(): ClusterIndexes {
  const known = new WeakMap<ClusterModel, ClusterIndex>();
  return {
    of(model) {
      const found = known.get(model);
      if (found !== undefined) return found;
      const made = indexCluster(model);
      known.set(model, made);
      return made;
    },
  };
}

/** An index of a model. Making it costs nothing; each look-up table is built at its first use. */
export function indexCluster(model: ClusterModel): ClusterIndex {
  const { pods, workloads, events } = model;
  const podsByNode = lazy(() => groupBy(pods, (pod) => pod.spec.nodeName));
  const podsByController = lazy(() => groupBy(pods, (pod) => pod.controller?.uid ?? ""));
  const podsByName = lazy(() => new Map(pods.map((pod) => [joined(pod.namespace, pod.name), pod])));
  const eventsByObject = lazy(() =>
    groupBy(events, ({ involved }) => joined(involved.kind, involved.namespace, involved.name)),
  );
  const daemonSets = lazy(() => workloads.filter(({ group, kind }) => kind === "DaemonSet" && group === "apps"));
  const workloadsByName = lazy(
    () => new Map(workloads.map((item) => [joined(item.kind, item.namespace ?? "", item.name ?? ""), item])),
  );
  const workloadsByUid = lazy(() => new Map(workloads.map((item) => [item.uid, item])));
  return {
    podsOn: (node) => podsByNode().get(node) ?? [],
    get unboundPods() {
      return podsByNode().get("") ?? [];
    },
    podsOf: (uid) => (uid === "" ? [] : (podsByController().get(uid) ?? [])),
    pod: (namespace, name) => podsByName().get(joined(namespace, name)) ?? null,
    eventsAbout: (kind, namespace, name) => eventsByObject().get(joined(kind, namespace, name)) ?? [],
    get daemonSets() {
      return daemonSets();
    },
    workload: (kind, namespace, name) => workloadsByName().get(joined(kind, namespace ?? "", name)) ?? null,
    workloadByUid: (uid) => (uid === "" ? null : (workloadsByUid().get(uid) ?? null)),
  };
}

/** Names hold no `\0`, so joined ones stay apart. */
function joined(...names: readonly string[]): string {
  return names.join("\0");
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
