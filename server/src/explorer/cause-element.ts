// Explorer layer: the row of a root cause. It acts on the object the cause lies in; where several manifests hold the
// remedy, they stand below it.
import type { RowState, RowTarget } from "../../../shared/src/explorer.ts";
import { formatRef, type ObjectRef } from "../kube/workload.ts";
import type { Root } from "../triage/finding.ts";
import { type Element, element } from "./element.ts";
import type { JudgedCluster } from "./judged-cluster.ts";

export interface CausePlace {
  readonly parent: string;
  readonly description: string;
  readonly state: RowState;
  /** The node it is shown under; null above several. */
  readonly node: string | null;
  /** Further lines of the tooltip. */
  readonly more?: readonly string[];
}

/** The row of `root`: what, and in the tooltip what to do. */
export function causeElement(cluster: JudgedCluster, root: Root, place: CausePlace): Element {
  const { parent, description, state, node, more = [] } = place;
  const targetOf = (ref: ObjectRef | null): RowTarget | null =>
    ref === null || ref.name === null
      ? null
      : { cluster: cluster.key, kind: ref.kind, namespace: ref.namespace, name: ref.name, node };
  const [only, ...others] = root.fixIn;
  const object = root.object ?? (others.length === 0 ? (only ?? null) : null);
  return element({
    parent,
    key: `${root.code}|${root.object === null ? "" : formatRef(root.object)}`,
    kind: "cause",
    label: root.summary,
    description,
    tooltip: [root.summary, root.advice, object === null ? "" : formatRef(object), ...more],
    state,
    target: targetOf(object),
    ...(others.length === 0
      ? {}
      : { children: (id: string) => root.fixIn.map((ref) => fixElement(id, ref, targetOf)) }),
  });
}

function fixElement(parent: string, ref: ObjectRef, targetOf: (ref: ObjectRef) => RowTarget | null): Element {
  return element({
    parent,
    key: formatRef(ref),
    kind: "daemonset",
    label: ref.name ?? "",
    description: `${ref.kind} in ${ref.namespace ?? ""}`,
    tooltip: [formatRef(ref), "Show Fix leads to its manifest, or to a patch."],
    target: targetOf(ref),
  });
}
