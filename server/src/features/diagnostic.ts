// Features layer: a diagnostic and its fixes as plain data, in offsets.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import type { Taint } from "../kube/taint.ts";
import type { ObjectRef } from "../kube/workload.ts";
import type { Span, TextEdit } from "../text/span.ts";

/** A place that explains the diagnostic: in the same file (`path` null) or another one (the node's taint in a cluster file). */
export interface RelatedPlace {
  readonly path: string | null;
  readonly span: Span;
  readonly message: string;
  /** The place is this taint of a node whose object begins at `span`: whoever holds the file's text can point at it. */
  readonly taint?: { readonly node: string; readonly taint: Taint };
}

export type FixKind =
  /** Never changes scheduling beyond what was meant: applied by fix-all and on save. */
  | "safe"
  /** Offered one by one. */
  | "suggested"
  /** Every taint of the workload at once. */
  | "whole-workload"
  /** The nodes are left out on purpose (affinity). */
  | "exclude"
  /** Writes a comment or an entry of taintwise.yaml. */
  | "silence";

export interface Fix {
  readonly title: string;
  readonly kind: FixKind;
  readonly preferred: boolean;
  /** Not overlapping, in text order, against the text that was analysed. */
  readonly edits: readonly TextEdit[];
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly span: Span;
  readonly message: string;
  readonly workload: ObjectRef | null;
  /** In kubectl's notation. */
  readonly taints: readonly string[];
  readonly nodes: readonly string[];
  /** Name of the cluster it was judged against; null where none took part. */
  readonly cluster: string | null;
  readonly related: readonly RelatedPlace[];
  readonly tags: readonly ("unnecessary" | "deprecated")[];
  readonly fixes: readonly Fix[];
}
