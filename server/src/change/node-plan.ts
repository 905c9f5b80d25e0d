// Change layer: the patch that cordons, uncordons or taints one node.

import { isObject, type JsonObject, listOf, objectOf, textOf } from "../kube/decode/reading.ts";
import type { JsonPatchStep } from "../kube/json-patch.ts";
import type { NodeAction } from "./node-action.ts";

/** `unchanged`: the node already is as it should be; `refusal`: it must not be done, a sentence. */
export type NodePlan =
  | { readonly kind: "patch"; readonly patch: readonly JsonPatchStep[]; readonly note: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refusal"; readonly refusal: string };

const TAINTS = "/spec/taints";
const UNSCHEDULABLE = "/spec/unschedulable";

/**
 * The patch for the node as it was read: it tests that it is the same node, and the field it changes. A node's status
 * changes every few seconds and has no say.
 * @param uid the node's that people saw
 */
export function planNode(action: NodeAction, uid: string, live: JsonObject): NodePlan {
  const metadata = objectOf(live.metadata);
  const name = textOf(metadata.name);
  if (textOf(metadata.uid) !== uid) {
    return { kind: "refusal", refusal: `${name} was replaced by another node of this name. Look at it again first.` };
  }
  if (metadata.deletionTimestamp !== undefined) return { kind: "refusal", refusal: `${name} is being deleted.` };
  const same: JsonPatchStep = { op: "test", path: "/metadata/uid", value: uid };
  const spec = objectOf(live.spec);
  const steps = action.kind === "taint" ? taintSteps(action, listOf(spec.taints)) : cordonSteps(action, spec);
  return steps === null
    ? { kind: "unchanged" }
    : { kind: "patch", patch: [same, ...steps], note: replacedNote(action, listOf(spec.taints)) };
}

function cordonSteps({ kind }: NodeAction, spec: JsonObject): readonly JsonPatchStep[] | null {
  const cordoned = spec.unschedulable === true;
  if ((kind === "cordon") === cordoned) return null;
  const test: JsonPatchStep = { op: "test", path: UNSCHEDULABLE, value: spec.unschedulable ?? null };
  return kind === "cordon"
    ? [test, { op: "add", path: UNSCHEDULABLE, value: true }]
    : [test, { op: "remove", path: UNSCHEDULABLE }];
}

function taintSteps(
  { taint, removes }: Extract<NodeAction, { readonly kind: "taint" }>,
  current: readonly unknown[],
): readonly JsonPatchStep[] | null {
  const test: JsonPatchStep = { op: "test", path: TAINTS, value: current.length === 0 ? null : current };
  const isSame = (entry: unknown): boolean =>
    isObject(entry) && entry.key === taint.key && entry.effect === taint.effect;
  const others = current.filter((entry) => !isSame(entry));
  if (removes) {
    if (others.length === current.length) return null;
    return [
      test,
      others.length === 0 ? { op: "remove", path: TAINTS } : { op: "replace", path: TAINTS, value: others },
    ];
  }
  const present = current.find(isSame);
  if (isObject(present) && textOf(present.value) === taint.value) return null;
  const entry = { key: taint.key, ...(taint.value === "" ? {} : { value: taint.value }), effect: taint.effect };
  if (current.length === 0) return [test, { op: "add", path: TAINTS, value: [entry] }];
  if (present === undefined) return [test, { op: "add", path: `${TAINTS}/-`, value: entry }];
  return [test, { op: "replace", path: `${TAINTS}/${current.indexOf(present)}`, value: entry }];
}

/** That a taint of the same key and effect loses its value; empty where it does not. */
function replacedNote(action: NodeAction, current: readonly unknown[]): string {
  if (action.kind !== "taint" || action.removes) return "";
  const { key, effect } = action.taint;
  const present = current.find((entry) => isObject(entry) && entry.key === key && entry.effect === effect);
  if (!isObject(present)) return "";
  const value = textOf(present.value);
  return `replaces ${value === "" ? key : `${key}=${value}`}:${effect}`;
}
