// YAML layer: our own tree of one document, with spans, aliases followed and merge keys resolved.
import type { Span } from "../text/span.ts";

/** A scalar as the Kubernetes reader (sigs.k8s.io/yaml: YAML to JSON) types it, decided from its source text. */
export type ScalarValue =
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "null" };

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** Where a node was reached from through `*alias` or `<<`: the use in the text, and the anchored text behind it. */
export interface AliasUse {
  readonly use: Span;
  readonly anchor: Span;
  readonly name: string;
}

interface NodeBase {
  /** The node's own text (the anchored text when reached through an alias), without anchor and tag. */
  readonly span: Span;
  /** null when the node stands where it is used. */
  readonly alias: AliasUse | null;
}

export interface YamlScalar extends NodeBase {
  readonly kind: "scalar";
  /** The text between the quotes as YAML reads it, before Kubernetes types it. */
  readonly source: string;
  readonly style: ScalarStyle;
  readonly value: ScalarValue;
}

export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value: YamlNode;
  /** Key to end of value. */
  readonly span: Span;
  /** Came in through `<<`. */
  readonly merged: boolean;
}

export interface YamlMapping extends NodeBase {
  readonly kind: "mapping";
  readonly flow: boolean;
  /** In text order; of a key written twice the last one is effective and the only one here (the others are problems). */
  readonly entries: readonly YamlEntry[];
}

export interface YamlSequence extends NodeBase {
  readonly kind: "sequence";
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

export type YamlNode = YamlScalar | YamlMapping | YamlSequence;

/** Path from a document's root: keys and indices. */
export type YamlPath = readonly (string | number)[];

/** A coded problem of a document; problems are collected, never thrown. */
export interface YamlProblem {
  readonly code:
    | "syntax"
    | "duplicate-key"
    | "unknown-anchor"
    | "alias-bomb"
    | "too-deep"
    | "not-convertible"
    | "tab-indent"
    | "merge-source";
  readonly message: string;
  readonly span: Span;
  /** The place it collides with (the first of two equal keys, the anchor of a bad merge); null without. */
  readonly related: Span | null;
}

export interface YamlDocument {
  /** The document's text in the file, without its `---` line. */
  readonly span: Span;
  /** null when nothing could be read. */
  readonly root: YamlNode | null;
  readonly problems: readonly YamlProblem[];
  /** Every `*name` in the text, in text order (one inside an anchored text once): the users of each anchor. */
  readonly aliases: readonly AliasUse[];
}
