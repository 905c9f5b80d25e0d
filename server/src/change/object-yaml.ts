// Change layer: a live object as YAML that people compare: what the server keeps for itself is left out.
import { isObject, type JsonObject, objectOf } from "../kube/decode/reading.ts";
import { renderFlow } from "../yaml/edit/index.ts";

/** Fields of the metadata that the server counts for itself; every change of the object changes them. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["managedFields", "resourceVersion", "generation", "annotations"]);
/** Annotations of that kind: the whole manifest once more, as kubectl keeps it, and a counter. */
const KEPT_BY_MACHINES: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.daemonset.template.generation",
]);

/** The object in block style, keys in the server's order, without status and without what the server counts for itself. */
export function objectYaml(object: JsonObject): string {
  const { status: _status, ...shown } = object;
  const metadata = without(objectOf(object.metadata), BOOKKEEPING);
  const annotations = without(objectOf(objectOf(object.metadata).annotations), KEPT_BY_MACHINES);
  const noted = Object.keys(annotations).length === 0 ? {} : { annotations };
  return `${entries({ ...shown, metadata: { ...metadata, ...noted } }, "").join("\n")}\n`;
}

function without(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)));
}

function entries(object: JsonObject, indent: string): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const [first = "", ...rest] = lines(value, Array.isArray(value) ? indent : `${indent}  `);
    const name = `${indent}${renderFlow(key, false)}:`;
    return isBranch(value) ? [name, first, ...rest] : [`${name} ${first}`];
  });
}

function lines(value: unknown, indent: string): readonly string[] {
  if (!isBranch(value)) return [leaf(value)];
  if (isObject(value)) return entries(value, indent);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    const [first = "", ...rest] = lines(item, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
}

function isBranch(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}

function leaf(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
    return renderFlow(value, false);
  }
  return Array.isArray(value) ? "[]" : "{}";
}
