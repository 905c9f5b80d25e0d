// Features layer, fixes: a scalar in quotes, or out of them.

import { quoteScalar, unquoteScalar } from "../../yaml/edit/index.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { Fix } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { fixOf, targetOf } from "./fix.ts";

export const messages = {
  quote: 'Quote it: "{source}"',
  unquote: "Remove the quotes: {source}",
} as const;

/** Puts the scalar at a path (from the workload's object) in quotes: its text is what was meant. */
export function quoteFixes(context: WorkloadContext, path: YamlPath, source: string): readonly Fix[] {
  return fixOf(fill(messages.quote, { source }), quoteScalar(targetOf(context), path), "safe", true);
}

/** Takes the quotes off the whole number at a path. */
export function unquoteFixes(context: WorkloadContext, path: YamlPath, source: string): readonly Fix[] {
  if (!/^[+-]?\d{1,15}$/.test(source.trim())) return [];
  return fixOf(fill(messages.unquote, { source }), unquoteScalar(targetOf(context), path), "safe", true);
}
