// Coverage layer: nodes gathered into classes that a workload's rules cannot tell apart.
import type { PodSpec } from "../kube/pod-spec.ts";
import {
  type CompiledRequirement,
  compileSelection,
  entryRequirement,
  requirementMatches,
} from "../scheduling/node-affinity.ts";
import { shortResources } from "../scheduling/resource-fit.ts";
import { type LabelStore, selectedKeys } from "./label-store.ts";
import { type SparseSet, sparseSetOf } from "./node-set.ts";
import type { NodeTable } from "./node-table.ts";

/** A label with more values than this is split by what the workload asks of it: a hostname would make every node its own class. */
const NARROW = 64;

/**
 * Places of nodes by class: equal profile (taints, cordon, host), equal values of the label keys that the spec's selectors
 * mention, equal answers about node names, equal shortages. Classes come in the order of their first node.
 */
export function classesOf(spec: PodSpec, table: NodeTable, labels: LabelStore): readonly (readonly number[])[] {
  const sign = signatureOf(spec, table, labels);
  const classes = new Map<string, number[]>();
  for (const node of table.places) {
    const key = sign(node);
    const members = classes.get(key);
    if (members === undefined) classes.set(key, [node]);
    else members.push(node);
  }
  return [...classes.values()];
}

/** Gives the classes of a spec; those of equal selectors and requests are gathered once. */
export type NodeClasses = (spec: PodSpec) => readonly SparseSet[];

/** Specs whose classes are kept; an editor goes back and forth between few. */
const KEPT = 128;

/** Remembers the classes of one table's nodes: while tolerations are typed, they stay the same. */
export function rememberClasses(table: NodeTable, labels: LabelStore): NodeClasses {
  const known = new Map<string, readonly SparseSet[]>();
  return (spec) => {
    const { nodeName, nodeSelector, requiredAffinity, requests } = spec;
    const key = JSON.stringify([nodeName, nodeSelector, requiredAffinity, requests]);
    const found = known.get(key) ?? classesOf(spec, table, labels).map(sparseSetOf);
    // What was asked for last is dropped last.
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function signatureOf(spec: PodSpec, table: NodeTable, labels: LabelStore): (node: number) => string {
  const keys = selectedKeys(spec);
  const narrow = keys.filter((key) => labels.distinctValues(key) <= NARROW);
  const asked = outcomesAsked(spec, new Set(narrow));
  return (place) => {
    const node = table.nodes[place];
    if (node === undefined) return "";
    const values = narrow.map((key) => (Object.hasOwn(node.labels, key) ? `=${node.labels[key]}` : ""));
    const outcomes = asked.map((requirement) => (requirementMatches(requirement, node) ? "1" : "0"));
    const short = shortResources(spec.requests, node.allocatable).map(
      (one) => `${one.resource} ${one.advertised} ${one.allocatable}`,
    );
    const named = spec.nodeName !== "" && spec.nodeName === node.name;
    return [table.profileOf[place], named, ...values, outcomes.join(""), ...short].join("\n");
  };
}

/** The requirements on node names and on labels that are not split by value. */
function outcomesAsked(spec: PodSpec, narrow: ReadonlySet<string>): readonly CompiledRequirement[] {
  const { nodeSelector, terms } = compileSelection(spec);
  const selected = nodeSelector.map(([key, value]) => entryRequirement(key, value));
  const required = (terms ?? []).flatMap((term) => term.requirements);
  return [...selected, ...required].filter(({ field, source }) => field || !narrow.has(source.key));
}
