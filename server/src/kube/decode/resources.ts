// Kubernetes data layer, decoding: resource lists.
import { parseQuantity } from "../quantity.ts";
import type { Resources } from "../resources.ts";
import { isObject } from "./reading.ts";

const NO_RESOURCES: Resources = {};

/**
 * A resource list (requests, capacity, overhead) in the units of `Resources`: cpu in millicores, all else whole.
 * Amounts that are no quantity are left out.
 */
export function decodeResources(value: unknown): Resources {
  if (!isObject(value)) return NO_RESOURCES;
  const amounts: Record<string, number> = {};
  for (const [name, source] of Object.entries(value)) {
    const quantity = parseQuantity(source);
    if (quantity !== null) amounts[name] = name === "cpu" ? quantity.milli : quantity.value;
  }
  return amounts;
}
