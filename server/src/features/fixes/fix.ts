// Features layer, fixes: from edits to fixes.
import type { Taint } from "../../kube/taint.ts";
import type { TextEdit } from "../../text/span.ts";
import type { Edits, EditTarget, PlainValue } from "../../yaml/edit/index.ts";
import type { Fix, FixKind } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";

/** A workload in its file. */
export type PlacedWorkload = Pick<WorkloadContext, "file" | "document" | "item">;

/** What edits of a workload work on; their paths lead from the workload's object. */
export function targetOf({ file, document, item }: PlacedWorkload): EditTarget {
  return { text: file.text, document: document.yaml, root: item.object };
}

/** The fix, or none where the edit cannot be made. */
export function fixOf(title: string, edits: Edits, kind: FixKind = "suggested", preferred = false): readonly Fix[] {
  return edits === null || edits.length === 0 ? [] : [{ title, kind, preferred, edits }];
}

/** Several edits as one, in text order; null where one of them cannot be made or two overlap. */
export function together(parts: readonly Edits[]): Edits {
  const edits: TextEdit[] = [];
  for (const part of parts) {
    if (part === null) return null;
    edits.push(...part);
  }
  edits.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const overlap = edits.some((edit, index) => index > 0 && edit.span.start < (edits[index - 1]?.span.end ?? 0));
  return overlap ? null : edits;
}

/** Where a new list of tolerations, selector or affinity goes: before the containers, where readers look. */
export const BEFORE_CONTAINERS: readonly string[] = ["initContainers", "containers"];

/** The toleration for exactly this taint: Equal with its value, Exists where it has none; without a limit in time. */
export function exactToleration({ key, value, effect }: Taint): { readonly [field: string]: PlainValue } {
  return value === "" ? { key, operator: "Exists", effect } : { key, operator: "Equal", value, effect };
}
