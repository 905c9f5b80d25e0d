// Text layer: places in a text. Imports nothing; knows nothing of YAML or Kubernetes.

/** A half-open range of UTF-16 code unit offsets, `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A 0-based place in a text; `character` counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Replaces the text of `span` by `newText`; an empty span inserts. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}
