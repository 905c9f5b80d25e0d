// Change layer: what can be done to nodes, in words, and which taints are nobody's to set.
import type { Taint } from "../kube/taint.ts";
import { formatTaint } from "../kube/taint.ts";
import { readTaintText } from "../kube/taint-text.ts";

export type NodeAction =
  | { readonly kind: "cordon" | "uncordon" }
  | {
      readonly kind: "taint";
      readonly taint: Pick<Taint, "key" | "value" | "effect">;
      /** Takes off every taint of this key and effect, whatever its value. */
      readonly removes: boolean;
    };

/** What cordoning puts on a node: the node controller adds it where `spec.unschedulable` is set. */
export const CORDON_TAINT = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" } as const;

/** Reads a taint as kubectl writes it; a sentence where it is none, or one that only a controller may set. */
export function readNodeTaint(text: string): NodeAction | { readonly problem: string } {
  const read = readTaintText(text.trim());
  if ("problem" in read) return read;
  const { taint, removes } = read;
  const problem = controllerOf(taint);
  return problem === null ? { kind: "taint", taint, removes } : { problem };
}

/** Source: k8s.io/kubernetes/pkg/controller/nodelifecycle (taintKeyToNodeConditionMap), k8s.io/api/core/v1 well-known taints. */
const CONTROLLED: ReadonlySet<string> = new Set([
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/pid-pressure",
  "node.kubernetes.io/network-unavailable",
]);

function controllerOf(taint: Pick<Taint, "key" | "effect">): string | null {
  if (taint.key === CORDON_TAINT.key) return `${taint.key} follows from cordoning: use Cordon Node or Uncordon Node.`;
  if (!CONTROLLED.has(taint.key)) return null;
  return `${taint.key} is set and taken away by the node controller, which would undo it: change what it reports.`;
}

/** `Cordon`, `Uncordon`, `Put dedicated=rdma:NoSchedule on`, `Take dedicated:NoSchedule off`: before the nodes' names. */
export function actionWords(action: NodeAction): string {
  if (action.kind !== "taint") return action.kind === "cordon" ? "Cordon" : "Uncordon";
  const taint = formatTaint(action.taint);
  return action.removes ? `Take ${taint} off` : `Put ${taint} on`;
}
