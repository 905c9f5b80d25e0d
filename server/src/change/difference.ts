// Change layer: what admission made of a patch, beyond what the patch says.
import { isObject, type JsonObject } from "../kube/decode/reading.ts";
import { type JsonPatchStep, patched } from "../kube/json-patch.ts";

/** What the server itself keeps and every write changes. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "/metadata/managedFields",
  "/metadata/resourceVersion",
  "/metadata/generation",
  "/status",
  "/metadata/annotations/deprecated.daemonset.template.generation",
]);
/** Characters of a value that a line quotes. */
const QUOTED = 80;

/**
 * The fields in which the server's answer to a dry run differs from the object as the patch alone would leave it: what
 * defaulting and admission (webhooks, policies) did. One line each: `spec.template.spec.priorityClassName: (none) → high`.
 */
export function admissionChanges(
  before: JsonObject,
  patch: readonly JsonPatchStep[],
  after: JsonObject,
): readonly string[] {
  return differences(patched(before, patch), after, "");
}

function differences(expected: unknown, found: unknown, path: string): readonly string[] {
  if (BOOKKEEPING.has(path)) return [];
  if (isObject(expected) && isObject(found)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
    return [...keys].flatMap((key) => differences(expected[key], found[key], `${path}/${key}`));
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    return Array.from({ length }, (_, place) => differences(expected[place], found[place], `${path}/${place}`)).flat();
  }
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [`${path.slice(1).replaceAll("/", ".")}: ${quote(expected)} → ${quote(found)}`];
}

function quote(value: unknown): string {
  if (value === undefined) return "(none)";
  const text = JSON.stringify(value);
  return text.length > QUOTED ? `${text.slice(0, QUOTED - 1)}…` : text;
}
