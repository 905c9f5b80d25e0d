// Triage layer, facts: which nodes are of one kind, so that what one offers the other should offer too.
import type { ClusterNode } from "../../kube/node.ts";
import { formatTaint } from "../../kube/taint.ts";
import { natureOf } from "./taint-nature.ts";
import { tellingWords } from "./words.ts";

/**
 * What a node is told by: nodes with equal keys are of one kind. `strong` when that is a machine type or a pool, else
 * only when the labels and taints themselves speak of what is compared (see `speaks`).
 */
export interface Kind {
  readonly key: string;
  readonly strong: boolean;
  /** Telling words of the labels and taints that make the kind. */
  readonly words: ReadonlySet<string>;
}

const INSTANCE_TYPE = /(^|\/)(instance-type|machine-type|instance\.type)$/;
const POOL =
  /(^|[/.-])(nodepool|node-pool|nodegroup|node-group|agentpool|pool|pool-name|machine-?pool|instancegroup|machineset|machine-deployment|worker-pool)$/;
const STRONG: readonly (readonly [mark: string, pattern: RegExp])[] = [
  ["type", INSTANCE_TYPE],
  ["pool", POOL],
];
/** Labels that differ from node to node, or that every node has. */
const VOLATILE =
  /^(kubernetes\.io\/hostname|topology\.|failure-domain\.|beta\.kubernetes\.io\/|kubernetes\.io\/(os|arch)|feature\.node\.kubernetes\.io\/|node-role\.kubernetes\.io\/|karpenter\.|csi\.|k8s\.io\/cloud-provider|node\.kubernetes\.io\/(?!instance-type))/;

/**
 * The kind of a node, leaving aside labels of the domain `domain`: they are written by the very plugins that are judged.
 * Machine type comes before pool, pool before the other labels. A taint makes no other kind of machine, but its words
 * may say what the node is for.
 */
export function kindOf(node: ClusterNode, domain: string): Kind {
  const taints = node.taints.filter((taint) => natureOf(taint) === "dedicated").map(formatTaint);
  const labels = Object.entries(node.labels).filter(([key]) => !VOLATILE.test(key) && !belongsTo(key, domain));
  const texts = labels.map(([key, value]) => `${key}=${value}`).sort();
  const words = new Set([...texts, ...taints].flatMap(tellingWords));
  for (const [mark, pattern] of STRONG) {
    const values = labels.filter(([key]) => pattern.test(key)).map(([, value]) => value);
    if (values.length > 0) return { key: `${mark}:${values.sort().join(",")}`, strong: true, words };
  }
  return { key: `labels:${texts.join(",")}`, strong: false, words };
}

/** Whether the kind's labels and taints name the resource: `dedicated=rdma` for `rdma/hca`. */
export function speaks(kind: Kind, resource: string): boolean {
  return tellingWords(resource).some((word) => kind.words.has(word));
}

/** Whether a label's domain is `domain` or lies under it. */
function belongsTo(key: string, domain: string): boolean {
  const own = key.slice(0, Math.max(0, key.indexOf("/")));
  return domain !== "" && (own === domain || own.endsWith(`.${domain}`));
}
