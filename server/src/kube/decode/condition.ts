// Kubernetes data layer, decoding: conditions of nodes and pods.
import type { NodeCondition } from "../node.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { isObject, listOf, textOf, timeOf } from "./reading.ts";

const NO_CONDITIONS: readonly NodeCondition[] = [];

/** A list of conditions, in its order; entries without type are left out. */
export function decodeConditions(value: unknown, interner: Interner = NO_SHARING): readonly NodeCondition[] {
  if (listOf(value).length === 0) return NO_CONDITIONS;
  const { texts } = interner;
  const conditions: NodeCondition[] = [];
  for (const item of listOf(value)) {
    if (!isObject(item) || textOf(item.type) === "") continue;
    conditions.push({
      type: texts.share(textOf(item.type)),
      status: texts.share(textOf(item.status)),
      reason: texts.share(textOf(item.reason)),
      message: texts.share(textOf(item.message)),
      lastTransitionTime: timeOf(item.lastTransitionTime),
      lastHeartbeatTime: timeOf(item.lastHeartbeatTime),
    });
  }
  return conditions;
}
