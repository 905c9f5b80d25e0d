// YAML layer, edits: a list reached through an alias, written out at its use so that it can differ from the anchored one.
import { nodeAt, toPlain } from "../locate.ts";
import type { YamlPath } from "../tree.ts";
import { placeValue } from "./insert.ts";
import { isPlainValue, type PlainValue } from "./render.ts";
import type { Edits, EditTarget } from "./target.ts";

/**
 * Replaces the alias that is the value at a path (`tolerations: *common`) by the list behind it with items appended.
 * Other users of the anchor keep what they have. Null where the value is no alias of a list, or its key is itself reached
 * through an alias.
 */
export function unfoldAndAppend(target: EditTarget, path: YamlPath, values: readonly PlainValue[]): Edits {
  const node = nodeAt(target.root, path);
  if (node?.kind !== "sequence" || node.alias === null) return null;
  const items = toPlain(node);
  return isPlainValue(items) && Array.isArray(items)
    ? placeValue(target, path, node.alias.use, [...items, ...values])
    : null;
}
