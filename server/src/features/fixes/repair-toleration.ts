// Features layer, fixes: a toleration that the API server refuses, corrected where it is clear what was meant.

import type { Toleration } from "../../kube/toleration.ts";
import { TOLERATION_EFFECTS, validateTolerations } from "../../scheduling/validate-tolerations.ts";
import { type Edits, insertEntry, removeEntry, setScalar, wrapInList as wrap } from "../../yaml/edit/index.ts";
import { entryAt } from "../../yaml/locate.ts";
import type { Fix } from "../diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { tolerationsPath, type WrittenToleration } from "../diagnostics/written.ts";
import { fill } from "../fill.ts";
import { fixOf, targetOf, together } from "./fix.ts";

export const messages = {
  effect: "Change the effect to {effect}",
  operator: "Change the operator to {operator}",
  dropSeconds: "Remove tolerationSeconds: only NoExecute has a limit in time",
  dropValue: "Remove the value: Exists tolerates any value",
  equal: "Change the operator to Equal, to tolerate only this value",
  unwrap: "Remove the quote characters from the value",
  trim: "Remove the blanks around the {field}",
  wrap: "Make it a list with this one toleration",
} as const;

const OPERATORS: readonly string[] = ["Equal", "Exists"];

/** A correction: the field's new text, or its removal (null), and the words for it. */
interface Repair {
  readonly title: string;
  readonly fields: Readonly<Partial<Record<keyof Toleration, string | null>>>;
}

/** Corrections after which the API server accepts the toleration; one alone is preferred, two are a choice. */
export function repairToleration(context: WorkloadContext, written: WrittenToleration): readonly Fix[] {
  const repairs = repairsOf(written).filter((repair) => {
    return validateTolerations([repaired(written.toleration, repair)], "", context.scheduling).length === 0;
  });
  return repairs.flatMap((repair) =>
    fixOf(repair.title, editsOf(context, written, repair), "suggested", repairs.length === 1),
  );
}

/** Makes a single mapping the only item of the list. */
export function wrapInList(context: WorkloadContext): readonly Fix[] {
  return fixOf(messages.wrap, wrap(targetOf(context), tolerationsPath(context.item)), "safe", true);
}

function repairsOf({ toleration }: WrittenToleration): readonly Repair[] {
  const { key, operator, value, effect, tolerationSeconds } = toleration;
  const [likelyEffect] = effect === "" ? [] : nearestWord(effect, TOLERATION_EFFECTS);
  const [likelyOperator] = operator === "" ? [] : nearestWord(operator, OPERATORS);
  const repairs: Repair[] = [];
  if (likelyEffect !== undefined) {
    repairs.push({ title: fill(messages.effect, { effect: likelyEffect }), fields: { effect: likelyEffect } });
  }
  if (likelyOperator !== undefined) {
    repairs.push({
      title: fill(messages.operator, { operator: likelyOperator }),
      fields: { operator: likelyOperator },
    });
  }
  if (tolerationSeconds !== null && effect !== "NoExecute") {
    repairs.push({ title: messages.dropSeconds, fields: { tolerationSeconds: null } });
  }
  if (operator === "Exists" && value !== "") {
    repairs.push({ title: messages.dropValue, fields: { value: null } });
    if (key !== "") repairs.push({ title: messages.equal, fields: { operator: "Equal" } });
  }
  const unquoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  if (unquoted !== undefined && operator !== "Exists")
    repairs.push({ title: messages.unwrap, fields: { value: unquoted } });
  for (const field of ["key", "value"] as const) {
    const trimmed = toleration[field].trim();
    if (trimmed !== toleration[field] && trimmed !== "") {
      repairs.push({ title: fill(messages.trim, { field }), fields: { [field]: trimmed } });
    }
  }
  return repairs;
}

/** The known word that differs only in case, marks or two letters; none for a word that is known. */
function nearestWord(word: string, known: readonly string[]): readonly string[] {
  return known.includes(word) ? [] : nearest(word, known);
}

function repaired(toleration: Toleration, { fields }: Repair): Toleration {
  return {
    key: fields.key ?? toleration.key,
    operator: fields.operator ?? toleration.operator,
    value: fields.value === null ? "" : (fields.value ?? toleration.value),
    effect: fields.effect ?? toleration.effect,
    tolerationSeconds: fields.tolerationSeconds === null ? null : toleration.tolerationSeconds,
  };
}

function editsOf(context: WorkloadContext, { node, index }: WrittenToleration, { fields }: Repair): Edits {
  const target = targetOf(context);
  const path = [...tolerationsPath(context.item), index];
  return together(
    Object.entries(fields).map(([field, value]) => {
      if (value === null) return removeEntry(target, [...path, field]);
      return entryAt(node, field) === null
        ? insertEntry(target, path, field, value)
        : setScalar(target, [...path, field], value);
    }),
  );
}
