// Features layer, editor: which workloads a taint or a node concerns.
import type { ClusterModel } from "../../cluster/model.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { Toleration } from "../../kube/toleration.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { shownSpan } from "../../yaml/locate.ts";
import { schedulingOf } from "../diagnostics/judge.ts";
import { writtenTolerations } from "../diagnostics/written.ts";
import { type EditorContext, judged, workloadsOf } from "./context.ts";
import { cursorAt } from "./cursor.ts";
import { taintsAt } from "./definition.ts";

/** What is asked about. */
export type ConcernSubject =
  | { readonly kind: "taints"; readonly taints: readonly Taint[] }
  | { readonly kind: "node"; readonly cluster: string; readonly node: string };

/** The taints that the toleration at `offset` matches; without any in the clusters, the one it names. */
export function subjectAt(context: EditorContext, offset: number): ConcernSubject | null {
  const cursor = cursorAt(context.file, offset);
  if (cursor?.kind !== "toleration") return null;
  const toleration = cursor.item.workload.template.tolerations[cursor.index];
  if (toleration === undefined) return null;
  const matched = taintsAt(context, offset).map(({ taint }) => taint);
  const taints = matched.length > 0 ? matched : named(toleration);
  return taints.length === 0 ? null : { kind: "taints", taints };
}

function named({ key, value, effect }: Toleration): readonly Taint[] {
  if (key === "") return [];
  const effects = (["NoSchedule", "NoExecute", "PreferNoSchedule"] as const).filter(
    (known) => effect === "" || effect === known,
  );
  return effects.map((known) => ({ key, value, effect: known, timeAdded: null }));
}

/**
 * The places of a file that the subject concerns: for taints the tolerations that match one, and the names of workloads
 * that one keeps from a node; for a node the names of workloads that are meant for it.
 */
export function concernedSpans(context: EditorContext, subject: ConcernSubject): readonly Span[] {
  return workloadsOf(context.file).flatMap((item) =>
    subject.kind === "taints"
      ? byTaints(item, context, subject.taints)
      : isMeantFor(item, context, subject)
        ? [item.nameSpan]
        : [],
  );
}

function byTaints(item: ManifestWorkload, context: EditorContext, taints: readonly Taint[]): readonly Span[] {
  const options = schedulingOf(context.config, context.clusters[0] ?? null);
  const matching = writtenTolerations(item)
    .filter(({ toleration }) => taints.some((taint) => tolerates(toleration, taint, options)))
    .map(({ node }) => shownSpan(node));
  const wanted = new Set(taints.map(formatTaint));
  const blocked = judged(item, context).some((cluster) =>
    cluster.blocked().some(({ placement }) => placement.untolerated.some((taint) => wanted.has(formatTaint(taint)))),
  );
  return blocked ? [item.nameSpan, ...matching] : matching;
}

function isMeantFor(
  item: ManifestWorkload,
  context: EditorContext,
  { cluster, node }: Extract<ConcernSubject, { readonly kind: "node" }>,
): boolean {
  return judged(item, context).some(({ model, coverage }) => {
    const verdict = model.name === cluster ? coverage.verdictOn(node) : null;
    return verdict !== null && verdict !== "affinity";
  });
}

/** The node of a dump whose text begins last before `offset`; null where none of the models was read from `path`. */
export function nodeBefore(
  clusters: readonly ClusterModel[],
  path: string,
  offset: number,
): { readonly cluster: string; readonly node: string } | null {
  let best: { readonly cluster: string; readonly node: string; readonly offset: number } | null = null;
  for (const cluster of clusters) {
    for (const { name, place } of cluster.nodes.values()) {
      if (place === null || place.path !== path || place.offset > offset) continue;
      if (best === null || place.offset > best.offset)
        best = { cluster: cluster.name, node: name, offset: place.offset };
    }
  }
  return best;
}
