// Features layer, fixes: a toleration made to match the taint that was meant.
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import { type Edits, insertEntry, setScalar } from "../../yaml/edit/index.ts";
import { entryAt } from "../../yaml/locate.ts";
import type { Fix } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { tolerationsPath, type WrittenToleration } from "../diagnostics/written.ts";
import { fill } from "../fill.ts";
import { fixOf, targetOf, together } from "./fix.ts";

export const messages = { replace: "Tolerate {taint} instead" } as const;

/** Changes key, value and effect as far as they differ, and keeps the rest. */
export function replaceFixes(context: WorkloadContext, written: WrittenToleration, taint: Taint): readonly Fix[] {
  const { toleration, node, index } = written;
  const fields: [string, string][] = [];
  if (toleration.key !== taint.key) fields.push(["key", taint.key]);
  if (toleration.operator !== "Exists" && toleration.value !== taint.value) fields.push(["value", taint.value]);
  if (toleration.effect !== "" && toleration.effect !== taint.effect) fields.push(["effect", taint.effect]);
  const { key, value, effect } = taint;
  const changed = { ...toleration, ...Object.fromEntries(fields) };
  const seconds = toleration.tolerationSeconds !== null && effect !== "NoExecute";
  if (fields.length === 0 || seconds || !tolerates(changed, { key, value, effect }, context.scheduling)) return [];
  const target = targetOf(context);
  const path = [...tolerationsPath(context.item), index];
  const edits: Edits = together(
    fields.map(([field, text]) =>
      entryAt(node, field) === null
        ? insertEntry(target, path, field, text, ["effect"])
        : setScalar(target, [...path, field], text),
    ),
  );
  return fixOf(fill(messages.replace, { taint: formatTaint(taint) }), edits, "suggested", true);
}
