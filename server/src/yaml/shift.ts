// YAML layer: a parsed document moved within its file, so that an edit above it does not cost a second parse.
import type { Span } from "../text/span.ts";
import type { AliasUse, YamlDocument, YamlNode, YamlScalar } from "./tree.ts";

/** The same document with every span moved by `delta` UTF-16 units; the document itself when `delta` is 0. */
export function shiftDocument(document: YamlDocument, delta: number): YamlDocument {
  if (delta === 0) return document;
  const span = (place: Span): Span => ({ start: place.start + delta, end: place.end + delta });
  const alias = (use: AliasUse): AliasUse => ({ ...use, use: span(use.use), anchor: span(use.anchor) });
  const used = (node: YamlNode): AliasUse | null => (node.alias === null ? null : alias(node.alias));
  const scalar = (node: YamlScalar): YamlScalar => ({ ...node, span: span(node.span), alias: used(node) });
  const move = (node: YamlNode): YamlNode => {
    switch (node.kind) {
      case "scalar":
        return scalar(node);
      case "sequence":
        return { ...node, span: span(node.span), alias: used(node), items: node.items.map(move) };
      case "mapping": {
        const entries = node.entries.map((entry) => ({
          key: scalar(entry.key),
          value: move(entry.value),
          span: span(entry.span),
          merged: entry.merged,
        }));
        return { ...node, span: span(node.span), alias: used(node), entries };
      }
    }
  };
  return {
    span: span(document.span),
    root: document.root === null ? null : move(document.root),
    problems: document.problems.map((problem) => ({
      ...problem,
      span: span(problem.span),
      related: problem.related === null ? null : span(problem.related),
    })),
    aliases: document.aliases.map(alias),
  };
}
