// Kubernetes data layer, decoding: required node affinity.
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from "../node-selector.ts";
import { isObject, listOf, objectOf, textOf, textsOf } from "./reading.ts";

/**
 * The required node affinity of a pod spec's `affinity`; null when there is none.
 * A selector without terms stays a selector (it matches no node).
 */
export function decodeRequiredAffinity(affinity: unknown): NodeSelector | null {
  const required = objectOf(objectOf(affinity).nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution;
  return isObject(required) ? decodeNodeSelector(required) : null;
}

/** A NodeSelector (`nodeSelectorTerms`). */
function decodeNodeSelector(value: unknown): NodeSelector {
  return { terms: listOf(objectOf(value).nodeSelectorTerms).map(decodeTerm) };
}

function decodeTerm(value: unknown): NodeSelectorTerm {
  const term = objectOf(value);
  return {
    matchExpressions: listOf(term.matchExpressions).map(decodeRequirement),
    matchFields: listOf(term.matchFields).map(decodeRequirement),
  };
}

function decodeRequirement(value: unknown): NodeSelectorRequirement {
  const requirement = objectOf(value);
  return {
    key: textOf(requirement.key),
    operator: textOf(requirement.operator),
    values: textsOf(requirement.values),
  };
}
