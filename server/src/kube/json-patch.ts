// Kubernetes data layer: JSON patches (RFC 6902) of objects, as far as they are made here: changes of mappings and lists,
// each behind a test of what was read.
import { isObject, type JsonObject } from "./decode/reading.ts";

/** One step. `test` with null holds where there is nothing: so the API server's library reads it. */
export type JsonPatchStep =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(object: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, object);
}

/** The object after the patch, whose tests are taken to hold; the object itself is left alone. */
export function patched(object: JsonObject, steps: readonly JsonPatchStep[]): JsonObject {
  let result: unknown = structuredClone(object);
  for (const step of steps) {
    if (step.op === "test") continue;
    result = changed(result, stepsOf(step.path), step.op, "value" in step ? step.value : undefined);
  }
  return isObject(result) ? result : object;
}

function changed(value: unknown, [step = "", ...rest]: readonly string[], op: string, put: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = [...value];
    const place = step === "-" ? items.length : Number(step);
    if (rest.length > 0) items[place] = changed(items[place], rest, op, put);
    else if (op === "add") items.splice(place, 0, put);
    else if (op === "remove") items.splice(place, 1);
    else items[place] = put;
    return items;
  }
  const object = isObject(value) ? value : {};
  if (rest.length > 0) return { ...object, [step]: changed(object[step], rest, op, put) };
  if (op !== "remove") return { ...object, [step]: put };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
