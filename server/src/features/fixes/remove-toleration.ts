// Features layer, fixes: a toleration taken out of the list.
import { removeItem } from "../../yaml/edit/index.ts";
import type { Fix, FixKind } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { tolerationsPath, type WrittenToleration } from "../diagnostics/written.ts";
import { fixOf, targetOf } from "./fix.ts";

/** Removes one toleration; none where other text shares it. */
export function removeToleration(
  context: WorkloadContext,
  { index }: WrittenToleration,
  title: string,
  kind: FixKind,
): readonly Fix[] {
  const edits = removeItem(targetOf(context), [...tolerationsPath(context.item), index]);
  return fixOf(title, edits, kind, true);
}
