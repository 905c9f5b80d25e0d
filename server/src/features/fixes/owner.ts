// Features layer, fixes: who reverts an edit of an object.
import type { Workload } from "../../kube/workload.ts";

/** Values of app.kubernetes.io/managed-by that name a tool which applies a source: the source is what gets fixed. */
const DEPLOYERS: ReadonlySet<string> = new Set([
  "helm",
  "helmfile",
  "tiller",
  "kustomize",
  "argocd",
  "argo-cd",
  "argo",
  "flux",
  "fluxcd",
  "terraform",
  "opentofu",
  "pulumi",
  "ansible",
  "kubectl",
  "skaffold",
  "jsonnet",
  "tanka",
  "kapp",
  "cdk8s",
  "timoni",
  "carvel",
  "manual",
]);

/**
 * The owner of a workload, in words ("DaemonSet of ClusterPolicy/gpu"), or null when its manifest is the source. Owned
 * means a controller reference or an operator's managed-by label; deployers are no owners.
 */
export function ownerOf(workload: Workload): string | null {
  if (workload.controller !== null) return `${workload.controller.kind} ${workload.controller.name}`;
  const manager = workload.managedBy;
  if (manager === "" || DEPLOYERS.has(manager.toLowerCase())) return null;
  return manager;
}
