// Config layer: an entry under `expected` written into the workspace file.
import type { TextEdit } from "../text/span.ts";
import { appendItems, type PlainValue } from "../yaml/edit/index.ts";
import { parseText } from "../yaml/parse.ts";

/** What is expected, as the file's fields; at least one of workload, taint and nodes is set. */
export interface ExpectedEntry {
  /** `Kind/namespace/name` or `Kind/name`. */
  readonly workload: string | null;
  /** In kubectl's notation. */
  readonly taint: string | null;
  readonly reason: string;
}

/**
 * Edits of the workspace file's text (empty where there is no file yet) that add the entry. null where the file is
 * such that it cannot be added (broken YAML, `expected` is no list).
 */
export function addExpected(text: string, entry: ExpectedEntry): readonly TextEdit[] | null {
  const value: { readonly [field: string]: PlainValue } = {
    ...(entry.workload === null ? {} : { workload: entry.workload }),
    ...(entry.taint === null ? {} : { taint: entry.taint }),
    ...(entry.reason === "" ? {} : { reason: entry.reason }),
  };
  const document = parseText(text);
  if (document.problems.length > 0) return null;
  const { root } = document;
  if (root === null || (root.kind === "scalar" && root.value.type === "null")) {
    const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field)}`);
    const start = text === "" || text.endsWith("\n") ? "" : "\n";
    const end = { start: text.length, end: text.length };
    return [{ span: end, newText: `${start}expected:\n- ${fields.join("\n  ")}\n` }];
  }
  return root.kind === "mapping" ? appendItems({ text, document, root }, ["expected"], [value]) : null;
}
