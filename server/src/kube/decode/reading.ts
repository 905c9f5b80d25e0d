// Kubernetes data layer, decoding: lenient reading of parsed YAML or JSON. What has the wrong type counts as absent.
import { parseTime } from "../time.ts";

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

const EMPTY_OBJECT: JsonObject = {};
const EMPTY_LIST: readonly unknown[] = [];
const EMPTY_TEXT_LIST: readonly string[] = [];
const EMPTY_TEXTS: Readonly<Record<string, string>> = {};

/** Whether the value is a JSON object (no list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, empty where it is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : EMPTY_OBJECT;
}

/** The value as a list, empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : EMPTY_LIST;
}

/** The value as text: a number or boolean in a string's place gives its text; everything else is empty. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "";
}

/** The scalars of a list as texts; what is no scalar is left out. */
export function textsOf(value: unknown): readonly string[] {
  const items = listOf(value);
  if (items.length === 0) return EMPTY_TEXT_LIST;
  return items
    .filter((item) => typeof item === "string" || typeof item === "number" || typeof item === "boolean")
    .map(textOf);
}

/** A string map (labels, annotations, node selector); entries that are no scalar are left out, null is empty text. */
export function textMapOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return EMPTY_TEXTS;
  const entries: [string, string][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === null || typeof item !== "object") entries.push([key, textOf(item)]);
  }
  return entries.length === 0 ? EMPTY_TEXTS : Object.fromEntries(entries);
}

/** true or false, also where they are quoted; everything else is false. */
export function boolOf(value: unknown): boolean {
  return value === true || value === "true";
}

/** A whole number, also where it is quoted; null otherwise. */
export function integerOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isInteger(value) ? value : null;
  if (typeof value === "string" && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
  return null;
}

/** A time of the API in milliseconds since the epoch; null where there is none. */
export function timeOf(value: unknown): number | null {
  return parseTime(value);
}
