// YAML layer, edits: the style of a document, read from what stands there already.

import type { YamlDocument, YamlNode } from "../tree.ts";
import { column, type EditTarget, startsItsLine } from "./target.ts";

/** How new text is written so that it looks like the text around it. */
export interface Style {
  readonly eol: "\n" | "\r\n";
  /** Columns by which a mapping is indented in its parent. */
  readonly indent: number;
  /** Columns by which the dashes of a list stand right of its key; often 0. */
  readonly dashOffset: number;
  /** Whether the document is JSON: every key and text in double quotes. */
  readonly json: boolean;
}

/** The style of a target's document. The first indented mapping and the first list under a key decide. */
export function styleOf({ text, document }: EditTarget): Style {
  const newline = text.indexOf("\n");
  const seen = { indent: 0, dashOffset: -1 };
  if (document.root !== null) look(text, document.root, seen);
  return {
    eol: newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n",
    indent: seen.indent === 0 ? 2 : seen.indent,
    dashOffset: Math.max(seen.dashOffset, 0),
    json: isJson(document),
  };
}

/** The dash offset among the lists of one mapping, where it has any; else the document's. */
export function dashOffsetIn(text: string, mapping: YamlNode, style: Style): number {
  const seen = { indent: 1, dashOffset: -1 };
  if (mapping.kind === "mapping" && mapping.alias === null) lookAt(text, mapping, seen);
  return seen.dashOffset < 0 ? style.dashOffset : seen.dashOffset;
}

interface Seen {
  indent: number;
  dashOffset: number;
}

function look(text: string, node: YamlNode, seen: Seen): void {
  if (node.alias !== null || node.kind === "scalar" || (seen.indent > 0 && seen.dashOffset >= 0)) return;
  if (node.kind === "sequence") {
    for (const item of node.items) look(text, item, seen);
    return;
  }
  lookAt(text, node, seen);
  for (const { value, merged } of node.entries) if (!merged) look(text, value, seen);
}

function lookAt(text: string, mapping: Extract<YamlNode, { kind: "mapping" }>, seen: Seen): void {
  for (const { key, value, merged } of mapping.entries) {
    if (
      merged ||
      value.alias !== null ||
      value.kind === "scalar" ||
      value.flow ||
      !startsItsLine(text, value.span.start)
    )
      continue;
    const offset = column(text, value.span.start) - column(text, key.span.start);
    if (value.kind === "sequence" && seen.dashOffset < 0) seen.dashOffset = Math.max(offset, 0);
    if (value.kind === "mapping" && seen.indent === 0 && offset > 0) seen.indent = offset;
  }
}

function isJson({ root }: YamlDocument): boolean {
  return root?.kind === "mapping" && root.flow && root.entries.every(({ key }) => key.style === "double");
}
