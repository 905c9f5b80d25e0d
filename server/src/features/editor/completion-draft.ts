// Features layer, editor: entries of a completion before they have their place.
import type { Span } from "../../text/span.ts";
import { renderFlow } from "../../yaml/edit/index.ts";
import { count } from "../fill.ts";

export interface CompletionEntry {
  readonly label: string;
  readonly kind: "toleration" | "key" | "value" | "operator" | "effect" | "label" | "resource" | "field";
  readonly detail: string;
  /** Replaces `span`; `snippet` texts hold `$1`, `${2:…}` marks. */
  readonly newText: string;
  readonly snippet: boolean;
  readonly span: Span;
  /** Position among the others. */
  readonly order: number;
}

export type Draft = Omit<CompletionEntry, "span" | "order">;

/** Values with the number of nodes, the most frequent first; quoted where Kubernetes would misread them. */
export function values(kind: Draft["kind"], found: ReadonlyMap<string, number>, emptyToo = false): readonly Draft[] {
  return [...found]
    .filter(([value]) => emptyToo || value !== "")
    .sort(([, left], [, right]) => right - left)
    .map(([value, nodes]) => ({
      label: value === "" ? '""' : value,
      kind,
      detail: count(nodes, "node"),
      newText: renderFlow(value, false),
      snippet: false,
    }));
}

/** An entry whose text is its label. */
export function draft(text: string, kind: Draft["kind"], detail: string): Draft {
  return { label: text, kind, detail, newText: text, snippet: false };
}
