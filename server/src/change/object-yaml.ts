// Change layer: a live object as YAML that people compare: what the server keeps for itself is left out.
import { isObject, type JsonObject, objectOf } from "../kube/decode/reading.ts";
import { renderFlow } from "../yaml/edit/index.ts";

/** The annotation in which kubectl keeps the whole manifest once more. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The object in block style, keys in the server's order, without status, managedFields and kubectl's own copy. */
export function objectYaml(object: JsonObject): string {
  const { status: _status, ...shown } = object;
  const { managedFields: _managed, annotations, ...metadata } = objectOf(object.metadata);
  const { [LAST_APPLIED]: _copy, ...kept } = objectOf(annotations);
  const noted = Object.keys(kept).length === 0 ? {} : { annotations: kept };
  return `${entries({ ...shown, metadata: { ...metadata, ...noted } }, "").join("\n")}\n`;
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
