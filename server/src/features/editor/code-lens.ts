// Features layer, editor: the line above each workload.
import type { Span } from "../../text/span.ts";
import { type EditorContext, judged, workloadsOf } from "./context.ts";
import { summarise } from "./summary.ts";

export interface WorkloadLens {
  /** The workload's name. */
  readonly span: Span;
  readonly title: string;
}

/** A lens for every workload and cluster; with several clusters each is named. None where nothing is known. */
export function codeLenses(context: EditorContext): readonly WorkloadLens[] {
  const several = context.clusters.length > 1;
  return workloadsOf(context.file).flatMap((item) =>
    judged(item, context).flatMap((cluster) => {
      const summary = summarise(cluster);
      if (summary === null) return [];
      return [{ span: item.nameSpan, title: several ? `${cluster.model.name}: ${summary}` : summary }];
    }),
  );
}
