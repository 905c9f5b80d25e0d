// Features layer, fixes: a field moved to the pod spec.
import { moveEntry } from "../../yaml/edit/index.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { Fix } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { BEFORE_CONTAINERS, fixOf, targetOf } from "./fix.ts";

export const messages = { move: "Move it to {target}" } as const;

/** Moves the entry at `path` to the pod spec, where that does not have the field yet. */
export function moveFixes(context: WorkloadContext, path: YamlPath, target: string): readonly Fix[] {
  const edits = moveEntry(targetOf(context), path, context.item.podSpecPath, BEFORE_CONTAINERS);
  return fixOf(fill(messages.move, { target }), edits, "suggested", true);
}
