// Cluster layer, building: what shows that nodes come and go by themselves.

import { type JsonObject, objectOf, textOf } from "../../kube/decode/reading.ts";
import { groupOf } from "../../kube/kinds.ts";
import type { ClusterNode } from "../../kube/node.ts";
import type { Workload } from "../../kube/workload.ts";

/** Kinds that only an autoscaler reads. */
const AUTOSCALER_KINDS: ReadonlySet<string> = new Set([
  "karpenter.sh/NodePool",
  "karpenter.sh/Provisioner",
  "autoscaling.openshift.io/ClusterAutoscaler",
  "autoscaling.openshift.io/MachineAutoscaler",
]);
const NODE_LABELS: readonly string[] = ["karpenter.sh/nodepool", "karpenter.sh/provisioner-name"];
const STATUS_CONFIG_MAP = "cluster-autoscaler-status";
const AUTOSCALER = "cluster-autoscaler";
const AUTOSCALER_TAINTS: ReadonlySet<string> = new Set([
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
]);

/** The sign that an object of the API is, in words; null when it is none. */
export function signOfObject(object: JsonObject): string | null {
  const kind = textOf(object.kind);
  const metadata = objectOf(object.metadata);
  const name = textOf(metadata.name);
  if (AUTOSCALER_KINDS.has(`${groupOf(textOf(object.apiVersion))}/${kind}`)) return `${kind} ${name}`;
  if (kind === "ConfigMap" && name === STATUS_CONFIG_MAP) return `ConfigMap ${textOf(metadata.namespace)}/${name}`;
  return null;
}

/** The signs that a cluster's workloads and nodes show, in words. */
export function signsOf(workloads: readonly Workload[], nodes: Iterable<ClusterNode>): readonly string[] {
  const signs = new Set<string>();
  for (const workload of workloads) {
    if (runsAutoscaler(workload)) signs.add(`${workload.kind} ${workload.namespace ?? ""}/${workload.name ?? ""}`);
  }
  for (const node of nodes) {
    for (const label of NODE_LABELS) {
      const pool = node.labels[label];
      if (pool !== undefined) signs.add(`nodes labelled ${label}=${pool}`);
    }
    for (const taint of node.taints) {
      if (AUTOSCALER_TAINTS.has(taint.key)) signs.add(`nodes tainted ${taint.key}`);
    }
  }
  return [...signs].sort();
}

/** By the program in its image or command: names of Deployments differ by chart. */
function runsAutoscaler(workload: Workload): boolean {
  if (workload.kind !== "Deployment") return false;
  return (
    workload.template.containers.some(
      ({ image, command }) =>
        imageName(image).startsWith(AUTOSCALER) ||
        command.some((word) => word.endsWith(`/${AUTOSCALER}`) || word === AUTOSCALER),
    ) || (workload.name ?? "").includes(AUTOSCALER)
  );
}

/** The last part of an image's path, without tag and digest. */
function imageName(image: string): string {
  const path = image.split("@", 1)[0] ?? "";
  return (path.slice(path.lastIndexOf("/") + 1).split(":", 1)[0] ?? "").trim();
}
