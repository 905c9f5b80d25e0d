// Features layer, editor: what can be typed here, from the cluster; from Kubernetes alone where there is none.
import { isExtendedResource } from "../../kube/resources.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { count } from "../fill.ts";
import { inExpression, inNodeSelector } from "./complete-label.ts";
import { inTolerations } from "./complete-toleration.ts";
import type { CompletionEntry, Draft } from "./completion-draft.ts";
import type { EditorContext } from "./context.ts";
import { type TypingPlace, typingPlace } from "./typing-place.ts";

/** The entries at a UTF-16 offset; empty where nothing of ours can stand. */
export function completions(context: EditorContext, offset: number): readonly CompletionEntry[] {
  const { text } = context.file;
  const place = typingPlace(text, offset);
  const span = { start: place.start, end: offset };
  return drafts(place, context, offset).map((draft, order) => ({ ...draft, span, order }));
}

function drafts(place: TypingPlace, context: EditorContext, offset: number): readonly Draft[] {
  const { keys } = place;
  const last = keys.findLastIndex((key) => key !== "-");
  const parent = keys[last];
  if (keys.includes("tolerations") && !keys.includes("affinity")) return inTolerations(place, context, offset);
  if (parent === "nodeSelector") return inNodeSelector(place, context);
  if (keys.includes("matchExpressions")) return inExpression(place, context);
  if ((parent === "limits" || parent === "requests") && keys.includes("resources")) return inResources(place, context);
  return [];
}

function inResources(place: TypingPlace, context: EditorContext): readonly Draft[] {
  if (place.valueOf !== null) return [];
  const offers = new Map<string, { allocatable: number; nodes: number }>();
  for (const cluster of context.clusters) {
    for (const node of cluster.nodes.values()) {
      for (const [resource, amount] of Object.entries(node.allocatable ?? {})) {
        if (!isExtendedResource(resource)) continue;
        const known = offers.get(resource) ?? { allocatable: 0, nodes: 0 };
        offers.set(resource, { allocatable: known.allocatable + amount, nodes: known.nodes + (amount > 0 ? 1 : 0) });
      }
    }
  }
  return [...offers]
    .filter(([resource]) => !place.siblings.has(resource))
    .map(([resource, { allocatable, nodes }]) => ({
      label: resource,
      kind: "resource",
      detail: `${formatAmount(resource, allocatable)} allocatable on ${count(nodes, "node")}`,
      newText: `${resource}: `,
      snippet: false,
    }));
}
