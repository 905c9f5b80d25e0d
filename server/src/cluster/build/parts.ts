// Cluster layer, building: which part of the model an object of the API belongs to.
import { groupOf, workloadKind } from "../../kube/kinds.ts";
import type { ClusterPart } from "../model.ts";

/** Parts by `group/Kind`, the core group empty. */
const PARTS: ReadonlyMap<string, ClusterPart> = new Map<string, ClusterPart>([
  ["/Node", "nodes"],
  ["/Pod", "pods"],
  ["/Namespace", "namespaces"],
  ["/Event", "events"],
  ["events.k8s.io/Event", "events"],
  ["storage.k8s.io/CSINode", "csinodes"],
  ["storage.k8s.io/CSIDriver", "csidrivers"],
  ["node.k8s.io/RuntimeClass", "runtimeclasses"],
  ["resource.k8s.io/DeviceClass", "deviceclasses"],
  ["resource.k8s.io/ResourceSlice", "resourceslices"],
  ["coordination.k8s.io/Lease", "leases"],
]);

/** The part that objects of this kind belong to; null for a kind the model does not know. */
export function partOfKind(apiVersion: string, kind: string): ClusterPart | null {
  const part = PARTS.get(`${groupOf(apiVersion)}/${kind}`);
  if (part !== undefined) return part;
  const workload = workloadKind(apiVersion, kind);
  // A PodTemplate is a form that some other object copies: nothing runs from it.
  if (workload === null || workload.kind === "PodTemplate") return null;
  return workload.kind === "DaemonSet" ? "daemonsets" : "owners";
}
