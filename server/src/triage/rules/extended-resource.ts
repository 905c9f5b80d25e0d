// Triage layer, rules: words that the rules about extended resources share.
import { formatAmount } from "../../scheduling/amount.ts";
import type { NodeFacts } from "../facts/node.ts";
import { offerOf } from "../facts/resources.ts";
import type { Evidence } from "../finding.ts";

/** `Capacity 8, Allocatable 7`, or that the key is absent. */
export function offerText(node: NodeFacts, resource: string): string {
  const { capacity, allocatable } = offerOf(node.node, resource);
  if (capacity === null && allocatable === null) return "the key is absent from Capacity and Allocatable";
  const text = (amount: number | null) => (amount === null ? "absent" : formatAmount(resource, amount));
  return `Capacity ${text(capacity)}, Allocatable ${text(allocatable)}`;
}

/** The numbers as evidence. */
export function offerEvidence(node: NodeFacts, resource: string): Evidence {
  return {
    text: `${resource}: ${offerText(node, resource)}`,
    at: null,
    object: { kind: "Node", namespace: null, name: node.name },
  };
}
