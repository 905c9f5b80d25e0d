// Cluster layer: a model that knows nothing, to start from.
import { CLUSTER_PARTS, type ClusterModel, type ClusterOrigin, type ClusterPart, type PartState } from "./model.ts";

/** The state of every part, all alike. */
export function allParts(state: PartState): Record<ClusterPart, PartState> {
  return {
    nodes: state,
    daemonsets: state,
    pods: state,
    owners: state,
    namespaces: state,
    events: state,
    csinodes: state,
    csidrivers: state,
    runtimeclasses: state,
    deviceclasses: state,
    resourceslices: state,
    leases: state,
  };
}

/** A model without any object, every part missing. */
export function emptyModel(name: string, origin: ClusterOrigin): ClusterModel {
  return {
    name,
    origin,
    observedAt: null,
    parts: allParts("missing"),
    nodes: new Map(),
    workloads: [],
    pods: [],
    namespaces: new Map(),
    events: [],
    csiNodes: new Map(),
    csiDrivers: new Map(),
    runtimeClasses: new Map(),
    deviceClasses: [],
    resourceSlices: [],
    leases: new Map(),
    autoscaler: { signs: [] },
    serverVersion: "",
  };
}

/** The parts that the model lacks, whatever the reason. */
export function lackingParts(model: ClusterModel): readonly ClusterPart[] {
  return CLUSTER_PARTS.filter((part) => model.parts[part] !== "known");
}

/** Whether a part was read whole where an object of this namespace would be; null: the object could be anywhere. */
export function isReadIn(model: ClusterModel, part: ClusterPart, namespace: string | null): boolean {
  if (model.parts[part] === "known") return true;
  return namespace !== null && (model.readNamespaces?.[part]?.includes(namespace) ?? false);
}
