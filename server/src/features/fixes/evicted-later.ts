// Features layer, fixes: whether tolerating more would only begin a loop of placing and evicting.
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import type { JudgedGroup } from "../diagnostics/judge.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";

/** Whether the nodes carry a lasting NoExecute taint that the workload tolerates for a while only. */
export function isEvictedLater({ placement }: JudgedGroup, { config }: WorkloadContext): boolean {
  return placement.taints.some(
    ({ taint, toleratedBy }) =>
      taint.effect === "NoExecute" &&
      typeof toleratedBy?.tolerationSeconds === "number" &&
      !isTransientTaint(taint, config.transientTaints),
  );
}
