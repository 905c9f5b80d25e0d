// Config layer: small readers for typed values in YAML. Each reads a node and knows its own JSON schema,
// so that what the editor completes and what the parser takes cannot drift apart.
import type { Span } from "../text/span.ts";
import type { YamlNode } from "../yaml/tree.ts";

/** A value of the workspace file that cannot be used, and its place. */
export interface ConfigProblem {
  readonly message: string;
  readonly span: Span;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reads a node, or reports why not and gives undefined. `where` names the place for people (`pools[0].taints`). */
export interface Shape<T> {
  readonly schema: JsonSchema;
  read(node: YamlNode, where: string, problems: ConfigProblem[]): T | undefined;
}

/** Any scalar, as its source text (`1.37`, `off` and `true` are what was written); `check` words what is wrong with it. */
export function text(schema: JsonSchema = {}, check: (value: string) => string | null = () => null): Shape<string> {
  return {
    schema: { type: "string", ...schema },
    read(node, where, problems) {
      if (node.kind !== "scalar" || node.value.type === "null" || node.source === "") {
        problems.push({ message: `${where} must be a text, not ${nameOf(node)}.`, span: node.span });
        return undefined;
      }
      const wrong = check(node.source);
      if (wrong !== null) problems.push({ message: `${where}: ${wrong}`, span: node.span });
      return wrong === null ? node.source : undefined;
    },
  };
}

/** A text that is read into something else; `parse` gives null when it cannot. */
export function parsed<T>(schema: JsonSchema, expected: string, parse: (value: string) => T | null): Shape<T> {
  const source = text(schema);
  return {
    schema: source.schema,
    read(node, where, problems) {
      const value = source.read(node, where, problems);
      if (value === undefined) return undefined;
      const result = parse(value);
      if (result === null) problems.push({ message: `${where} must be ${expected}, not "${value}".`, span: node.span });
      return result ?? undefined;
    },
  };
}

/** One of the listed words. */
export function oneOf<T extends string>(words: readonly T[], schema: JsonSchema = {}): Shape<T> {
  return parsed({ enum: words, ...schema }, `one of ${words.join(", ")}`, (value) => {
    return words.find((word) => word === value) ?? null;
  });
}

/** true or false. */
export function flag(schema: JsonSchema = {}): Shape<boolean> {
  return {
    schema: { type: "boolean", ...schema },
    read(node, where, problems) {
      if (node.kind === "scalar" && node.value.type === "bool") return node.value.value;
      problems.push({ message: `${where} must be true or false, not ${nameOf(node)}.`, span: node.span });
      return undefined;
    },
  };
}

/** A list; items that cannot be read are reported and left out. */
export function list<T>(item: Shape<T>, schema: JsonSchema = {}): Shape<readonly T[]> {
  return {
    schema: { type: "array", items: item.schema, ...schema },
    read(node, where, problems) {
      if (node.kind !== "sequence") {
        problems.push({ message: `${where} must be a list, not ${nameOf(node)}.`, span: node.span });
        return undefined;
      }
      return node.items.flatMap((entry, index) => {
        const value = item.read(entry, `${where}[${index}]`, problems);
        return value === undefined ? [] : [value];
      });
    },
  };
}

/** One value or a list of them. */
export function oneOrMany<T>(item: Shape<T>, schema: JsonSchema = {}): Shape<readonly T[]> {
  const many = list(item);
  return {
    schema: { anyOf: [item.schema, many.schema], ...schema },
    read(node, where, problems) {
      if (node.kind === "sequence") return many.read(node, where, problems);
      const value = item.read(node, where, problems);
      return value === undefined ? undefined : [value];
    },
  };
}

/** A mapping with free keys; `key` words what is wrong with a key. */
export function record<T>(
  value: Shape<T>,
  schema: JsonSchema = {},
  key: (name: string) => string | null = () => null,
): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: "object", additionalProperties: value.schema, ...schema },
    read(node, where, problems) {
      if (node.kind !== "mapping") {
        problems.push({ message: `${where} must be a mapping, not ${nameOf(node)}.`, span: node.span });
        return undefined;
      }
      const entries: [string, T][] = [];
      for (const entry of node.entries) {
        const wrong = key(entry.key.source);
        if (wrong !== null) {
          problems.push({ message: `${where}: ${wrong}`, span: entry.key.span });
          continue;
        }
        const read = value.read(entry.value, `${where}.${entry.key.source}`, problems);
        if (read !== undefined) entries.push([entry.key.source, read]);
      }
      return Object.fromEntries(entries);
    },
  };
}

/** A mapping with known keys, all optional unless named in `required`; unknown keys are reported with the nearest known one. */
export function object<T extends object>(
  fields: { readonly [K in keyof T]: Shape<T[K]> },
  required: readonly (keyof T & string)[] = [],
  schema: JsonSchema = {},
): Shape<Partial<T>> {
  const names = Object.keys(fields);
  const shapes = new Map<string, Shape<unknown>>(Object.entries(fields));
  const properties = Object.fromEntries([...shapes].map(([name, shape]) => [name, shape.schema]));
  return {
    schema: {
      type: "object",
      properties,
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      ...schema,
    },
    read(node, where, problems) {
      if (node.kind !== "mapping") {
        problems.push({ message: `${where || "The file"} must be a mapping, not ${nameOf(node)}.`, span: node.span });
        return undefined;
      }
      const found: Partial<T> = {};
      for (const entry of node.entries) {
        const name = entry.key.source;
        const shape = shapes.get(name);
        const path = where === "" ? name : `${where}.${name}`;
        if (shape === undefined) {
          problems.push({ message: `${path} is not known here; known: ${names.join(", ")}.`, span: entry.key.span });
          continue;
        }
        const value = shape.read(entry.value, path, problems);
        if (value !== undefined) Object.assign(found, { [name]: value });
      }
      const written = new Set(node.entries.map((entry) => entry.key.source));
      const missing = required.filter((name) => !written.has(name));
      for (const name of missing) problems.push({ message: `${where} needs ${name}.`, span: node.span });
      return required.every((name) => found[name] !== undefined) ? found : undefined;
    },
  };
}

function nameOf(node: YamlNode): string {
  if (node.kind === "mapping") return "a mapping";
  if (node.kind === "sequence") return "a list";
  return node.value.type === "null" ? "empty" : `"${node.source}"`;
}
