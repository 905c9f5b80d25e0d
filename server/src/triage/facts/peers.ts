// Triage layer, facts: which nodes are of one kind, so that what one offers the other should offer too.
import type { ClusterNode } from "../../kube/node.ts";
import { formatTaint } from "../../kube/taint.ts";
import { natureOf } from "./taint-nature.ts";

/** `strong`: a pool, a machine type, own labels or a dedicating taint in common; `weak`: only nothing that differs. */
export type Kinship = "strong" | "weak" | null;

const INSTANCE_TYPE = /(^|\/)(instance-type|machine-type|instance\.type)$/;
const POOL =
  /(^|[/.-])(nodepool|node-pool|nodegroup|node-group|agentpool|pool|pool-name|machine-?pool|instancegroup|machineset|machine-deployment|worker-pool)$/;
/** Labels that differ from node to node, or that every node has. */
const VOLATILE =
  /^(kubernetes\.io\/hostname|topology\.|failure-domain\.|beta\.kubernetes\.io\/|kubernetes\.io\/(os|arch)|feature\.node\.kubernetes\.io\/|node-role\.kubernetes\.io\/|karpenter\.|csi\.|topology\.ebs|k8s\.io\/cloud-provider|node\.kubernetes\.io\/(?!instance-type))/;

/**
 * Whether two nodes are of one kind, leaving aside labels of the domain `domain` (they are written by the very plugins
 * that are judged). null when something tells them apart.
 */
export function kinship(a: ClusterNode, b: ClusterNode, domain: string): Kinship {
  if (taintSignature(a) !== taintSignature(b)) return null;
  const [kindA, kindB] = [kindLabels(a, domain), kindLabels(b, domain)];
  for (const pattern of [INSTANCE_TYPE, POOL]) {
    const [valueA, valueB] = [valuesOf(a, pattern), valuesOf(b, pattern)];
    if (valueA !== "" || valueB !== "") return valueA === valueB ? "strong" : null;
  }
  if (kindA !== kindB) return null;
  return kindA !== "" || taintSignature(a) !== "" ? "strong" : "weak";
}

function valuesOf(node: ClusterNode, pattern: RegExp): string {
  return Object.entries(node.labels)
    .filter(([key]) => pattern.test(key))
    .map(([, value]) => value)
    .sort()
    .join(",");
}

function kindLabels(node: ClusterNode, domain: string): string {
  return Object.entries(node.labels)
    .filter(([key]) => !VOLATILE.test(key) && !belongsTo(key, domain))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}

/** Whether a label's domain is `domain` or lies under it. */
function belongsTo(key: string, domain: string): boolean {
  const own = key.slice(0, Math.max(0, key.indexOf("/")));
  return domain !== "" && (own === domain || own.endsWith(`.${domain}`));
}

function taintSignature(node: ClusterNode): string {
  return node.taints
    .filter((taint) => natureOf(taint) === "dedicated" || natureOf(taint) === "control-plane")
    .map(formatTaint)
    .sort()
    .join(",");
}
