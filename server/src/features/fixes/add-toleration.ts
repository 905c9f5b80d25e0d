// Features layer, fixes: tolerations added to a workload.
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { TaintAnswer } from "../../scheduling/verdict.ts";
import { appendItems, type Edits, insertEntry, setScalar } from "../../yaml/edit/index.ts";
import { entryAt, nodeAt } from "../../yaml/locate.ts";
import type { Fix } from "../diagnostic.ts";
import { isArchitectureKey } from "../diagnostics/gap-notes.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { tolerationsPath } from "../diagnostics/written.ts";
import { count, fill, listing } from "../fill.ts";
import { BEFORE_CONTAINERS, exactToleration, fixOf, type PlacedWorkload, targetOf } from "./fix.ts";

export const messages = {
  one: "Add the toleration {taint}",
  endless: "Add the toleration {taint}, without a limit: pods stay when the taint comes",
  image: "Add the toleration {taint} (needs an image for that architecture)",
  all: "Add {tolerations} for this workload: {taints}",
  exists: "Change the toleration of {key} to operator Exists, for any value",
} as const;

/** Taints offered one by one; a longer list is no help. */
const OFFERED = 12;

/**
 * Exact tolerations for untolerated taints: one fix per taint, and one for all where there are several; each with the
 * change to Exists where only a missing value is in the way. `preferred` marks the one that removes the diagnostic.
 */
export function tolerationFixes(
  context: WorkloadContext,
  answers: readonly TaintAnswer[],
  preferred: boolean,
): readonly Fix[] {
  const taints = answers.map((answer) => answer.taint);
  const all =
    taints.length > 1
      ? fixOf(
          fill(messages.all, {
            tolerations: count(taints.length, "toleration"),
            taints: listing(taints.map(formatTaint), 4),
          }),
          addTolerations(context, taints),
          "whole-workload",
          preferred,
        )
      : [];
  const single = preferred && taints.length === 1;
  return [...all, ...answers.slice(0, OFFERED).flatMap((answer) => fixesFor(context, answer, single))];
}

/** The edits that append exact tolerations to the list, or begin it. */
export function addTolerations(context: PlacedWorkload, taints: readonly Taint[]): Edits {
  return appendItems(targetOf(context), tolerationsPath(context.item), taints.map(exactToleration), BEFORE_CONTAINERS);
}

function fixesFor(context: WorkloadContext, answer: TaintAnswer, preferred: boolean): readonly Fix[] {
  const { taint } = answer;
  const widen = existsFix(context, answer, preferred);
  const movable = context.item.workload.kind !== "DaemonSet";
  const title = isArchitectureKey(taint.key)
    ? messages.image
    : taint.effect === "NoExecute" && movable
      ? messages.endless
      : messages.one;
  const exact = fixOf(
    fill(title, { taint: formatTaint(taint) }),
    addTolerations(context, [taint]),
    "suggested",
    preferred && widen.length === 0,
  );
  return [...widen, ...exact];
}

/** A toleration of the right key and effect that names no value: it was meant for any. */
function existsFix(context: WorkloadContext, { taint, closest }: TaintAnswer, preferred: boolean): readonly Fix[] {
  if (closest === null || closest.toleration.value !== "" || closest.differs.join() !== "value") return [];
  const target = targetOf(context);
  const path = [...tolerationsPath(context.item), closest.index];
  const node = nodeAt(target.root, path);
  const edits =
    entryAt(node, "operator") === null
      ? insertEntry(target, path, "operator", "Exists", ["value", "effect"])
      : setScalar(target, [...path, "operator"], "Exists");
  return fixOf(fill(messages.exists, { key: taint.key }), edits, "suggested", preferred);
}
