// Features layer, editor: from a toleration to the taints it matches.
import type { SourcePlace } from "../../kube/node.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import { schedulingOf } from "../diagnostics/judge.ts";
import type { EditorContext } from "./context.ts";
import { cursorAt } from "./cursor.ts";

/** A taint of a node, and where it was read: null for a live cluster. */
export interface TaintPlace {
  readonly cluster: string;
  readonly node: string;
  readonly taint: Taint;
  readonly place: SourcePlace | null;
}

/** One place for each different taint that the toleration at `offset` matches. */
export function taintsAt(context: EditorContext, offset: number): readonly TaintPlace[] {
  const cursor = cursorAt(context.file, offset);
  if (cursor?.kind !== "toleration") return [];
  const toleration = cursor.item.workload.template.tolerations[cursor.index];
  if (toleration === undefined) return [];
  return context.clusters.flatMap((cluster) => {
    const options = schedulingOf(context.config, cluster);
    const found = new Map<string, TaintPlace>();
    for (const node of cluster.nodes.values()) {
      for (const taint of node.taints) {
        const key = formatTaint(taint);
        if (found.has(key) || !tolerates(toleration, taint, options)) continue;
        found.set(key, { cluster: cluster.name, node: node.name, taint, place: node.place });
      }
    }
    return [...found.values()];
  });
}
