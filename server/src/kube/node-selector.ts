// Kubernetes data layer: node selectors and required node affinity as plain data.

export interface NodeSelectorRequirement {
  readonly key: string;
  /** In, NotIn, Exists, DoesNotExist, Gt, Lt; kept as written, also when unknown. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** One term: every expression and every field must match; a term with neither matches no node. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly NodeSelectorRequirement[];
  readonly matchFields: readonly NodeSelectorRequirement[];
}

/** Terms are joined by OR; a selector without terms matches no node. */
export interface NodeSelector {
  readonly terms: readonly NodeSelectorTerm[];
}
