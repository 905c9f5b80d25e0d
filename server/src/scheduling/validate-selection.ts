// Scheduling layer: nodeSelector and required node affinity judged as the API server judges them.
import type { NodeSelector, NodeSelectorRequirement } from "../kube/node-selector.ts";
import { type FieldError, forbidden, invalidEnum, invalidString, required } from "./field-error.ts";
import { labelKeyProblems, labelValueProblems, subdomainProblems } from "./label-rules.ts";

/**
 * Every reason for which the API server refuses a nodeSelector; `path` is the map's own path, which the server names
 * for keys and values alike. Keys come in the map's order (the server's own order is random).
 * Source: k8s.io/apimachinery/pkg/apis/meta/v1/validation ValidateLabels.
 */
export function validateNodeSelector(
  selector: Readonly<Record<string, string>>,
  path: string,
): readonly (FieldError & { readonly key: string })[] {
  return Object.entries(selector).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((problem) => ({ key, ...invalidString(path, key, problem) })),
    ...labelValueProblems(value).map((problem) => ({ key, ...invalidString(path, value, problem) })),
  ]);
}

/**
 * Every reason for which the API server refuses a required node affinity; `path` ends in
 * `requiredDuringSchedulingIgnoredDuringExecution`. Source: core/validation ValidateNodeSelector.
 */
export function validateRequiredAffinity(affinity: NodeSelector, path: string): readonly FieldError[] {
  const terms = `${path}.nodeSelectorTerms`;
  if (affinity.terms.length === 0) return [required(terms, "must have at least one node selector term")];
  return affinity.terms.flatMap((term, index) => [
    ...term.matchExpressions.flatMap((requirement, place) =>
      validateExpression(requirement, `${terms}[${index}].matchExpressions[${place}]`),
    ),
    ...term.matchFields.flatMap((requirement, place) =>
      validateField(requirement, `${terms}[${index}].matchFields[${place}]`),
    ),
  ]);
}

/** Source: core/validation ValidateNodeSelectorRequirement. */
function validateExpression(requirement: NodeSelectorRequirement, path: string): readonly FieldError[] {
  const { key, operator, values } = requirement;
  const errors: FieldError[] = [];
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      }
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1) {
        errors.push(required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      }
      break;
    default:
      errors.push(invalidEnum(`${path}.operator`, operator, "not a valid selector operator"));
  }
  errors.push(...labelKeyProblems(key).map((problem) => invalidString(`${path}.key`, key, problem)));
  values.forEach((value, index) => {
    errors.push(
      ...labelValueProblems(value).map((problem) => invalidString(`${path}.values[${index}]`, value, problem)),
    );
  });
  return errors;
}

/** Source: core/validation ValidateNodeFieldSelectorRequirement. */
function validateField(requirement: NodeSelectorRequirement, path: string): readonly FieldError[] {
  const { key, operator, values } = requirement;
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalidEnum(`${path}.operator`, operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== "metadata.name") return [...errors, invalidString(`${path}.key`, key, "not a valid field selector key")];
  values.forEach((value, index) => {
    errors.push(
      ...subdomainProblems(value).map((problem) => invalidString(`${path}.values[${index}]`, value, problem)),
    );
  });
  return errors;
}
