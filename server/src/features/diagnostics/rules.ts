// Features layer: every rule, in the order of the documentation.
import { admissionSelector } from "./admission-selector.ts";
import { extendedResourceInvalid } from "./extended-resource-invalid.ts";
import { extendedResourceUnavailable } from "./extended-resource-unavailable.ts";
import { osSelectorMissing } from "./os-selector-missing.ts";
import type { Rule } from "./rule.ts";
import { selectorUnmatched } from "./selector-unmatched.ts";
import { templateDrift } from "./template-drift.ts";
import { tolerationAttractsNothing } from "./toleration-attracts-nothing.ts";
import { tolerationBlanket } from "./toleration-blanket.ts";
import { tolerationDefeatsDrain } from "./toleration-defeats-drain.ts";
import { tolerationDuplicate } from "./toleration-duplicate.ts";
import { tolerationEviction } from "./toleration-eviction.ts";
import { tolerationGap } from "./toleration-gap.ts";
import { tolerationInvalid } from "./toleration-invalid.ts";
import { tolerationMisplaced } from "./toleration-misplaced.ts";
import { tolerationTimeBomb } from "./toleration-time-bomb.ts";
import { tolerationUnmatched } from "./toleration-unmatched.ts";
import { tolerationValueType } from "./toleration-value-type.ts";
import { unschedulable } from "./unschedulable.ts";
import { virtualNodeReached } from "./virtual-node-reached.ts";
import { yamlProblem } from "./yaml-problem.ts";

/** A diagnostic's code belongs to exactly one of them. */
export const RULES: readonly Rule[] = [
  yamlProblem,
  tolerationGap,
  tolerationTimeBomb,
  unschedulable,
  tolerationInvalid,
  tolerationValueType,
  tolerationMisplaced,
  tolerationDuplicate,
  tolerationUnmatched,
  tolerationBlanket,
  tolerationDefeatsDrain,
  tolerationEviction,
  tolerationAttractsNothing,
  selectorUnmatched,
  osSelectorMissing,
  virtualNodeReached,
  admissionSelector,
  extendedResourceUnavailable,
  extendedResourceInvalid,
  templateDrift,
];
