// Features layer, editor: the tolerations that the DaemonSet controller adds, shown where they are not written.
import { formatToleration } from "../../kube/toleration.ts";
import { daemonSetTolerations } from "../../scheduling/implied-tolerations.ts";
import { keySpanAt, nodeAt } from "../../yaml/locate.ts";
import { type EditorContext, workloadsOf } from "./context.ts";

export interface ImpliedHint {
  /** Behind this UTF-16 offset. */
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/** One hint for every DaemonSet, behind its `tolerations:` or, where it has none, behind the key of its pod spec. */
export function impliedHints({ file }: EditorContext): readonly ImpliedHint[] {
  return workloadsOf(file).flatMap((item) => {
    if (item.workload.kind !== "DaemonSet" || nodeAt(item.object, item.podSpecPath) === null) return [];
    const added = daemonSetTolerations(item.workload.template).filter(({ index }) => index === null);
    const written = keySpanAt(item.object, [...item.podSpecPath, "tolerations"]);
    const span = written ?? keySpanAt(item.object, item.podSpecPath);
    if (span === null || added.length === 0) return [];
    const lines = added.map(({ toleration }) => formatToleration(toleration));
    return [
      {
        offset: span.end + 1,
        label: ` + ${lines.length} implied`,
        tooltip: `The DaemonSet controller adds to every pod:\n${lines.map((line) => `- \`${line}\``).join("\n")}`,
      },
    ];
  });
}
