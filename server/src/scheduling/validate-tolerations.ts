// Scheduling layer: toleration lists judged as the API server judges them.
import type { Toleration } from "../kube/toleration.ts";
import { type FieldError, invalidEnum, invalidString, notSupported, quoteGo } from "./field-error.ts";
import { isCanonicalInteger, parseInt64 } from "./int64.ts";
import { labelKeyProblems, labelValueProblems } from "./label-rules.ts";
import type { SchedulingOptions } from "./verdict.ts";

/** The effects a toleration may name. */
export const TOLERATION_EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * Every reason for which the API server refuses the list, in its order; empty when it accepts. `basePath` is the list's
 * path, e.g. `spec.template.spec.tolerations`. Messages are word for word those of the server, also where they name
 * the operator's field for what is wrong with the value.
 * Source: k8s.io/kubernetes/pkg/apis/core/validation ValidateTolerations.
 */
export function validateTolerations(
  tolerations: readonly Toleration[],
  basePath: string,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${basePath}[${index}]`, options));
}

function validateToleration(
  toleration: Toleration,
  path: string,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): readonly FieldError[] {
  const { key, operator, effect, tolerationSeconds } = toleration;
  const errors: FieldError[] = [];
  if (key !== "") {
    errors.push(...labelKeyProblems(key).map((problem) => invalidString(`${path}.key`, key, problem)));
  } else if (operator !== "Exists") {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidEnum(`${path}.operator`, operator, detail));
  }
  if (tolerationSeconds !== null && effect !== "NoExecute") {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalidEnum(`${path}.effect`, effect, detail));
  }
  errors.push(...validateValue(toleration, path, options));
  if (effect !== "" && !TOLERATION_EFFECTS.includes(effect)) {
    errors.push(notSupported(`${path}.effect`, effect, TOLERATION_EFFECTS));
  }
  return errors;
}

function validateValue(
  toleration: Toleration,
  path: string,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): readonly FieldError[] {
  const { operator, value } = toleration;
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [invalidString(`${path}.operator`, value, problems.join(";"))];
    }
    case "Exists":
      if (value === "") return [];
      return [invalidString(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      if (options.comparisonOperators) return validateNumber(value, `${path}.value`);
      return [notSupported(`${path}.operator`, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(`${path}.operator`, operator, ["Equal", "Exists"])];
  }
}

function validateNumber(value: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (value === "") errors.push(invalidString(path, value, "must be non-empty"));
  else if (!isCanonicalInteger(value)) {
    errors.push(invalidString(path, value, "must be a valid decimal integer in canonical form"));
  }
  if (parseInt64(value) === null) {
    const cause = /^[+-]?[0-9]+$/.test(value) ? "value out of range" : "invalid syntax";
    errors.push(invalidString(path, value, `strconv.ParseInt: parsing ${quoteGo(value)}: ${cause}`));
  }
  return errors;
}
