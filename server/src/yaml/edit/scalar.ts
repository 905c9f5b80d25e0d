// YAML layer, edits: one scalar set, quoted or unquoted.
import { nodeAt } from "../locate.ts";
import { typePlain } from "../scalar.ts";
import type { YamlPath, YamlScalar } from "../tree.ts";
import { doubleQuoted, renderScalar, renderText } from "./render.ts";
import { styleOf } from "./style.ts";
import { type Edits, type EditTarget, ownNode, ownStart } from "./target.ts";

/** Replaces the scalar at a path; texts keep the quotes that stand there. */
export function setScalar(target: EditTarget, path: YamlPath, value: string | number | boolean): Edits {
  const node = ownNode(target, path);
  if (node === null || node.kind !== "scalar") return null;
  const { json } = styleOf(target);
  const flow = inFlow(target, path);
  const keepsQuotes = typeof value === "string" && (node.style === "single" || node.style === "double");
  const text = keepsQuotes ? renderText(value, node.style, flow) : renderScalar(value, flow, json);
  const empty = node.span.start === node.span.end;
  return [{ span: node.span, newText: empty ? ` ${text}` : text }];
}

/** Puts the scalar at a path in double quotes, its text unchanged (`true` → `"true"`, `010` → `"010"`). */
export function quoteScalar(target: EditTarget, path: YamlPath): Edits {
  const node = plainScalar(target, path);
  return node === null || node.source === "" ? null : [{ span: node.span, newText: doubleQuoted(node.source) }];
}

/** Takes the quotes off the scalar at a path; null unless Kubernetes then reads a whole number or a boolean. */
export function unquoteScalar(target: EditTarget, path: YamlPath): Edits {
  const node = ownNode(target, path);
  if (node === null || node.kind !== "scalar" || (node.style !== "single" && node.style !== "double")) return null;
  if (ownStart(target.text, node) !== node.span.start) return null;
  const text = node.source.trim();
  const { type } = typePlain(text);
  return type === "number" || type === "bool" ? [{ span: node.span, newText: text }] : null;
}

/** A tagged scalar keeps its type in quotes, so quoting it would not help. */
function plainScalar(target: EditTarget, path: YamlPath): YamlScalar | null {
  const node = ownNode(target, path);
  if (node === null || node.kind !== "scalar" || node.style !== "plain") return null;
  return ownStart(target.text, node) === node.span.start ? node : null;
}

/** Whether a path leads through a flow collection, where commas and brackets end a plain scalar. */
export function inFlow(target: EditTarget, path: YamlPath): boolean {
  const root = target.document.root;
  if (root !== null && root.kind !== "scalar" && root.flow) return true;
  return path.some((_, length) => {
    const node = nodeAt(target.root, path.slice(0, length));
    return node !== null && node.kind !== "scalar" && node.flow;
  });
}
