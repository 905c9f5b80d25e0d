// Scheduling layer: requests and limits of extended resources judged as the API server judges them.
import { parseQuantity } from "../kube/quantity.ts";
import { isExtendedResource } from "../kube/resources.ts";
import { type FieldError, invalidString, required } from "./field-error.ts";

/** The amounts of one container as written, before a limit is copied to a missing request. */
export interface WrittenResources {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

/** A refusal of one extended resource: which, and by which of the rules. */
export interface ResourceError extends FieldError {
  readonly resource: string;
  readonly rule: "limit-missing" | "not-equal" | "fraction" | "negative";
}

/**
 * Every reason for which the API server refuses a container's extended resources; `path` is that of `resources`.
 * Amounts that are no quantity at all are left to the decoder. Amounts are printed as they are written.
 * Sources: core/validation validateResourceRequirements and ValidateResourceQuantityValue.
 */
export function validateExtendedResources(written: WrittenResources, path: string): readonly ResourceError[] {
  const errors: ResourceError[] = [];
  for (const [resource, limit] of extendedOf(written.limits)) {
    errors.push(...validateAmount(resource, limit, `${path}.limits[${resource}]`));
  }
  for (const [resource, requested] of extendedOf(written.requests)) {
    errors.push(...validateAmount(resource, requested, `${path}.requests[${resource}]`));
    const limit = written.limits[resource];
    if (limit === undefined) {
      const error = required(`${path}.limits`, "Limit must be set for non overcommitable resources");
      errors.push({ ...error, resource, rule: "limit-missing" });
    } else if (parseQuantity(limit)?.milli !== parseQuantity(requested)?.milli) {
      const error = invalidString(`${path}.requests`, requested, `must be equal to ${resource} limit of ${limit}`);
      errors.push({ ...error, resource, rule: "not-equal" });
    }
  }
  return errors;
}

function extendedOf(amounts: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(amounts).filter(([name, amount]) => isExtendedResource(name) && parseQuantity(amount) !== null);
}

function validateAmount(resource: string, amount: string, path: string): readonly ResourceError[] {
  const milli = parseQuantity(amount)?.milli ?? 0;
  if (milli < 0) {
    const error = invalidString(path, amount, "must be greater than or equal to 0");
    return [{ ...error, resource, rule: "negative" }];
  }
  if (milli % 1000 === 0) return [];
  return [{ ...invalidString(path, amount, "must be an integer"), resource, rule: "fraction" }];
}
