// YAML layer: finding nodes by path and paths by offset, and the plain value of a tree.
import type { Span } from "../text/span.ts";
import { keyText } from "./builder.ts";
import type { YamlEntry, YamlMapping, YamlNode, YamlPath } from "./tree.ts";

export { keyText } from "./builder.ts";

/** The entry of a mapping by its key as Kubernetes reads it; null when there is none or `node` is no mapping. */
export function entryAt(node: YamlNode | null, key: string): YamlEntry | null {
  if (node === null || node.kind !== "mapping") return null;
  return node.entries.find((entry) => keyText(entry.key) === key) ?? null;
}

/** The node at a path from `root`, through aliases and merge keys; null when the path leads nowhere. */
export function nodeAt(root: YamlNode | null, path: YamlPath): YamlNode | null {
  let node = root;
  for (const step of path) {
    if (node === null) return null;
    if (typeof step === "string") node = entryAt(node, step)?.value ?? null;
    else node = node.kind === "sequence" ? (node.items[step] ?? null) : null;
  }
  return node;
}

/** The mapping at a path; null when there is none. */
export function mappingAt(root: YamlNode | null, path: YamlPath): YamlMapping | null {
  const node = nodeAt(root, path);
  return node?.kind === "mapping" ? node : null;
}

/** The items of the sequence at a path; empty when there is none. */
export function itemsAt(root: YamlNode | null, path: YamlPath): readonly YamlNode[] {
  const node = nodeAt(root, path);
  return node?.kind === "sequence" ? node.items : [];
}

/** The text of the scalar at a path, as written between its quotes; null when there is no scalar or it is null. */
export function textAt(root: YamlNode | null, path: YamlPath): string | null {
  const node = nodeAt(root, path);
  return node?.kind === "scalar" && node.value.type !== "null" ? node.source : null;
}

/**
 * Where to underline a node: its own text, or the `*name` through which it was reached.
 */
export function shownSpan(node: YamlNode): Span {
  return node.alias === null ? node.span : node.alias.use;
}

/** The span of the key that the last step of `path` names (of the item for an index); null when the path leads nowhere. */
export function keySpanAt(root: YamlNode | null, path: YamlPath): Span | null {
  const parent = nodeAt(root, path.slice(0, -1));
  const step = path.at(-1);
  if (typeof step === "string") {
    const entry = entryAt(parent, step);
    return entry === null ? null : shownSpan(entry.key);
  }
  const node = nodeAt(root, path);
  return node === null ? null : shownSpan(node);
}

/** What stands at an offset. */
export interface FoundPath {
  /** Path of the innermost node whose text holds the offset. */
  readonly path: YamlPath;
  readonly node: YamlNode;
  /** Whether the offset is on the key rather than the value (then `path` and `node` are those of the key's value). */
  readonly onKey: boolean;
}

/** The innermost node at a UTF-16 offset, its end included; null outside of the root. Text behind an alias is not searched. */
export function pathAt(root: YamlNode | null, offset: number): FoundPath | null {
  if (root === null || root.alias !== null || !touches(root.span, offset)) return null;
  const path: (string | number)[] = [];
  let node: YamlNode = root;
  for (;;) {
    const step: Step | null = stepInto(node, offset);
    if (step === null) return { path, node, onKey: false };
    path.push(step.key);
    node = step.node;
    if (step.onKey || node.alias !== null) return { path, node, onKey: step.onKey };
  }
}

interface Step {
  readonly key: string | number;
  readonly node: YamlNode;
  readonly onKey: boolean;
}

function stepInto(node: YamlNode, offset: number): Step | null {
  if (node.kind === "sequence") {
    const index = node.items.findIndex((item) => touches(shownSpan(item), offset));
    const item = node.items[index];
    return item === undefined ? null : { key: index, node: item, onKey: false };
  }
  if (node.kind === "mapping") {
    for (const entry of node.entries) {
      if (entry.merged && entry.value.alias !== null) continue;
      const key = keyText(entry.key);
      if (touches(shownSpan(entry.key), offset)) return { key, node: entry.value, onKey: true };
      if (touches(shownSpan(entry.value), offset)) return { key, node: entry.value, onKey: false };
    }
  }
  return null;
}

function touches(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}

/**
 * The plain value as the JSON that Kubernetes sees: objects, arrays, strings, numbers, booleans, null.
 * @param asText nodes to be taken as the text written, whatever their type (a `value: yes` meant as "yes")
 */
export function toPlain(node: YamlNode | null, asText: ReadonlySet<YamlNode> | null = null): unknown {
  if (node === null) return null;
  switch (node.kind) {
    case "scalar":
      if (asText?.has(node)) return node.source;
      return node.value.type === "null" ? null : node.value.value;
    case "sequence":
      return node.items.map((item) => toPlain(item, asText));
    case "mapping": {
      const object: Record<string, unknown> = {};
      for (const entry of node.entries) {
        const key = keyText(entry.key);
        const value = toPlain(entry.value, asText);
        // Assigning to __proto__ would change the object's prototype instead of adding a key.
        if (key === "__proto__")
          Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
        else object[key] = value;
      }
      return object;
    }
  }
}
