// Scheduling layer: which nodes a pod spec admits by nodeName, nodeSelector and required node affinity.
import type { NodeSelectorRequirement, NodeSelectorTerm } from "../kube/node-selector.ts";
import type { PodSpec } from "../kube/pod-spec.ts";
import { type Int64, parseInt64 } from "./int64.ts";
import { labelKeyProblems, labelValueProblems } from "./label-rules.ts";
import type { SelectorMismatch } from "./verdict.ts";

/** What of a node its selection reads. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The parts of a pod spec that select nodes. */
export type SelectingSpec = Pick<PodSpec, "nodeName" | "nodeSelector" | "requiredAffinity">;

/** One requirement on a label, or on the node's name (`field`). */
export interface CompiledRequirement {
  readonly source: NodeSelectorRequirement;
  readonly field: boolean;
  /** For `Gt` and `Lt`: the number to compare with. */
  readonly number: Int64 | null;
  /** Why it cannot be read; its term then matches no node. */
  readonly problems: readonly string[];
}

/** A term; an unreadable one, like one without requirements, matches no node. */
export interface CompiledTerm {
  readonly requirements: readonly CompiledRequirement[];
  readonly readable: boolean;
}

/** A pod spec's selection, read once and asked about many nodes. */
export interface CompiledSelection {
  readonly nodeName: string;
  readonly nodeSelector: readonly (readonly [key: string, value: string])[];
  /** null when there is no required affinity. */
  readonly terms: readonly CompiledTerm[] | null;
}

/** Reads a pod spec's selection. Source: component-helpers nodeaffinity.NewRequiredNodeAffinity. */
export function compileSelection(spec: SelectingSpec): CompiledSelection {
  return {
    nodeName: spec.nodeName,
    nodeSelector: Object.entries(spec.nodeSelector),
    terms: spec.requiredAffinity === null ? null : spec.requiredAffinity.terms.map(compileTerm),
  };
}

function compileTerm(term: NodeSelectorTerm): CompiledTerm {
  const requirements = [
    ...term.matchExpressions.map((source) => compileRequirement(source, false)),
    ...term.matchFields.map((source) => compileRequirement(source, true)),
  ];
  return { requirements, readable: requirements.length > 0 && requirements.every((one) => one.problems.length === 0) };
}

function compileRequirement(source: NodeSelectorRequirement, field: boolean): CompiledRequirement {
  const problems = field ? fieldProblems(source) : expressionProblems(source);
  return { source, field, number: field ? null : numberOf(source), problems };
}

/** A nodeSelector entry as a requirement. It is not validated: it compares as it stands. */
export function entryRequirement(key: string, value: string): CompiledRequirement {
  return { source: { key, operator: "In", values: [value] }, field: false, number: null, problems: [] };
}

/** nodeName as a requirement. */
export function nameRequirement(nodeName: string): CompiledRequirement {
  const source = { key: "metadata.name", operator: "In", values: [nodeName] };
  return { source, field: true, number: null, problems: [] };
}

function numberOf(requirement: NodeSelectorRequirement): Int64 | null {
  if (requirement.operator !== "Gt" && requirement.operator !== "Lt") return null;
  return parseInt64(requirement.values[0] ?? "");
}

/** Why a requirement on a label cannot be read. Source: k8s.io/apimachinery/pkg/labels NewRequirement. */
function expressionProblems(requirement: NodeSelectorRequirement): readonly string[] {
  const { key, operator, values } = requirement;
  const problems = [...labelKeyProblems(key).map((problem) => `key ${key}: ${problem}`)];
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) problems.push(`${operator} needs at least one value`);
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) problems.push(`${operator} takes no values`);
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1) problems.push(`${operator} needs exactly one value`);
      if (values.some((value) => parseInt64(value) === null)) problems.push(`${operator} needs a whole number`);
      break;
    default:
      problems.push(`operator ${JSON.stringify(operator)} is not known`);
  }
  for (const value of values) {
    problems.push(...labelValueProblems(value).map((problem) => `value ${JSON.stringify(value)}: ${problem}`));
  }
  return problems;
}

/** Source: component-helpers nodeaffinity nodeSelectorRequirementsAsFieldSelector. */
function fieldProblems(requirement: NodeSelectorRequirement): readonly string[] {
  if (requirement.operator !== "In" && requirement.operator !== "NotIn") {
    return [`matchFields knows only In and NotIn, not ${JSON.stringify(requirement.operator)}`];
  }
  return requirement.values.length === 1 ? [] : ["matchFields needs exactly one value"];
}

/**
 * Whether the node is admitted by nodeName, nodeSelector and required node affinity together; taints do not count.
 * Source: component-helpers RequiredNodeAffinity.Match, and the nodeName check of daemon.NodeShouldRunDaemonPod.
 */
export function admits(selection: CompiledSelection, node: SelectableNode): boolean {
  if (selection.nodeName !== "" && selection.nodeName !== node.name) return false;
  for (const [key, value] of selection.nodeSelector) {
    if (labelOf(node, key) !== value) return false;
  }
  if (selection.terms === null) return true;
  for (const term of selection.terms) {
    if (term.readable && termMatches(term, node)) return true;
  }
  return false;
}

function termMatches(term: CompiledTerm, node: SelectableNode): boolean {
  for (const requirement of term.requirements) {
    if (!requirementMatches(requirement, node)) return false;
  }
  return true;
}

/**
 * Whether one readable requirement holds for the node. An absent label satisfies NotIn and DoesNotExist only; a field
 * other than metadata.name reads as empty. Source: k8s.io/apimachinery labels.Requirement.Matches, fields.hasTerm.
 */
export function requirementMatches(requirement: CompiledRequirement, node: SelectableNode): boolean {
  const { key, operator, values } = requirement.source;
  if (requirement.field) {
    const field = key === "metadata.name" ? node.name : "";
    return (field === values[0]) === (operator === "In");
  }
  const value = labelOf(node, key);
  switch (operator) {
    case "In":
      return value !== null && values.includes(value);
    case "NotIn":
      return value === null || !values.includes(value);
    case "Exists":
      return value !== null;
    case "DoesNotExist":
      return value === null;
    case "Gt":
    case "Lt": {
      const found = value === null ? null : parseInt64(value);
      if (found === null || requirement.number === null) return false;
      return operator === "Gt" ? found > requirement.number : found < requirement.number;
    }
    default:
      return false;
  }
}

/**
 * Why the node is not admitted: the wrong nodeName, every nodeSelector entry that fails, and of the affinity's terms
 * the one that fails in the fewest requirements. Empty when the node is admitted.
 */
export function selectorMismatches(selection: CompiledSelection, node: SelectableNode): readonly SelectorMismatch[] {
  const mismatches: SelectorMismatch[] = [];
  if (selection.nodeName !== "" && selection.nodeName !== node.name) {
    const wanted = [selection.nodeName];
    mismatches.push({
      where: "nodeName",
      key: "metadata.name",
      operator: "In",
      wanted,
      found: node.name,
      problem: null,
    });
  }
  for (const [key, value] of selection.nodeSelector) {
    const found = labelOf(node, key);
    if (found === value) continue;
    mismatches.push({ where: "nodeSelector", key, operator: "In", wanted: [value], found, problem: null });
  }
  return [...mismatches, ...affinityMismatches(selection, node)];
}

function affinityMismatches(selection: CompiledSelection, node: SelectableNode): readonly SelectorMismatch[] {
  if (selection.terms === null) return [];
  let closest: readonly SelectorMismatch[] | null = null;
  for (const term of selection.terms) {
    if (term.readable && termMatches(term, node)) return [];
    const failing = term.requirements.filter((requirement) =>
      term.readable ? !requirementMatches(requirement, node) : requirement.problems.length > 0,
    );
    const mismatches = failing.map((requirement) => mismatchOf(requirement, node));
    if (mismatches.length > 0 && (closest === null || mismatches.length < closest.length)) closest = mismatches;
  }
  const nothing = { where: "affinity", key: "", operator: "", wanted: [], found: null, problem: null } as const;
  return closest ?? [nothing];
}

function mismatchOf(requirement: CompiledRequirement, node: SelectableNode): SelectorMismatch {
  const { key, operator, values } = requirement.source;
  const found = requirement.field ? (key === "metadata.name" ? node.name : null) : labelOf(node, key);
  return { where: "affinity", key, operator, wanted: values, found, problem: requirement.problems[0] ?? null };
}

function labelOf(node: SelectableNode, key: string): string | null {
  return Object.hasOwn(node.labels, key) ? (node.labels[key] ?? null) : null;
}
