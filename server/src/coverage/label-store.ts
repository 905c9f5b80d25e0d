// Coverage layer: which nodes satisfy which requirement, each requirement asked once per value and not once per node.
// It knows labels, names and allocatable, not taints, and so outlives their changes.
import type { PodSpec } from "../kube/pod-spec.ts";
import type { Resources } from "../kube/resources.ts";
import {
  type CompiledRequirement,
  type CompiledSelection,
  compileSelection,
  entryRequirement,
  nameRequirement,
  requirementMatches,
} from "../scheduling/node-affinity.ts";
import { shortResources } from "../scheduling/resource-fit.ts";
import { addAll, addTo, both, either, emptySet, fullSet, type NodeSet, without } from "./node-set.ts";
import type { TableNode } from "./node-table.ts";

/** What of a node the store knows. */
export type LabelledNode = Pick<TableNode, "name" | "labels" | "allocatable">;

/** The nodes of each value of one label. */
type LabelColumn = ReadonlyMap<string, readonly number[]>;

const NO_VALUES: LabelColumn = new Map();

/** More requirements than this are not remembered: an editor asks about every state of a value that is being typed. */
const MOST_REMEMBERED = 8192;

export class LabelStore {
  readonly #nodes: readonly LabelledNode[];
  readonly #sets = new Map<string, NodeSet>();
  readonly #least = new Map<string, number>();
  #columns: ReadonlyMap<string, LabelColumn> | null = null;
  #places: ReadonlyMap<string, number> | null = null;

  constructor(nodes: readonly LabelledNode[]) {
    this.#nodes = nodes;
  }

  /** The nodes that nodeName, nodeSelector and required node affinity admit. */
  admitted(selection: CompiledSelection): NodeSet {
    const wanted: NodeSet[] = [];
    if (selection.nodeName !== "") wanted.push(this.#satisfying(nameRequirement(selection.nodeName)));
    for (const [key, value] of selection.nodeSelector) wanted.push(this.#satisfying(entryRequirement(key, value)));
    if (selection.terms !== null) wanted.push(this.#anyTerm(selection.terms));
    return this.#all(wanted);
  }

  #anyTerm(terms: NonNullable<CompiledSelection["terms"]>): NodeSet {
    const sets = terms
      .filter((term) => term.readable)
      .map((term) => this.#all(term.requirements.map((requirement) => this.#satisfying(requirement))));
    return sets.length === 0 ? emptySet(this.#nodes.length) : sets.reduce(either);
  }

  #all(sets: readonly NodeSet[]): NodeSet {
    return sets.length === 0 ? fullSet(this.#nodes.length) : sets.reduce(both);
  }

  #satisfying(requirement: CompiledRequirement): NodeSet {
    const { key, operator, values } = requirement.source;
    const id = [requirement.field ? "field" : "label", key, operator, ...values].join("\0");
    return this.#remember(id, () => (requirement.field ? this.#named(requirement) : this.#labelled(requirement)));
  }

  /** Fields other than the name are alike on all nodes. */
  #named(requirement: CompiledRequirement): NodeSet {
    const { key, operator, values } = requirement.source;
    const all = fullSet(this.#nodes.length);
    if (key !== "metadata.name") {
      return requirementMatches(requirement, { name: "", labels: {} }) ? all : emptySet(this.#nodes.length);
    }
    const named = emptySet(this.#nodes.length);
    for (const name of values) {
      const place = this.placeOf(name);
      if (place !== null) addTo(named, place);
    }
    return operator === "In" ? named : without(all, named);
  }

  #labelled(requirement: CompiledRequirement): NodeSet {
    const { key, operator, values } = requirement.source;
    const column = this.#column(key);
    const all = fullSet(this.#nodes.length);
    switch (operator) {
      case "In":
        return this.#ofValues(key, values);
      case "NotIn":
        return without(all, this.#ofValues(key, values));
      case "Exists":
        return this.#ofValues(key, [...column.keys()]);
      case "DoesNotExist":
        return without(all, this.#ofValues(key, [...column.keys()]));
      default: {
        const satisfying = [...column.keys()].filter((value) =>
          requirementMatches(requirement, { name: "", labels: { [key]: value } }),
        );
        return this.#ofValues(key, satisfying);
      }
    }
  }

  #ofValues(key: string, values: readonly string[]): NodeSet {
    const column = this.#column(key);
    const set = emptySet(this.#nodes.length);
    for (const value of values) {
      const nodes = column.get(value) ?? [];
      // Adding words is cheaper than adding nodes once there are more nodes than words.
      if (nodes.length > set.length) addAll(set, this.#valueSet(key, value, nodes));
      else for (const place of nodes) addTo(set, place);
    }
    return set;
  }

  #valueSet(key: string, value: string, places: readonly number[]): NodeSet {
    return this.#remember(`value\0${key}\0${value}`, () => {
      const set = emptySet(this.#nodes.length);
      for (const place of places) addTo(set, place);
      return set;
    });
  }

  /** The nodes whose empty node could not give all that is requested; null where every node can. */
  short(requests: Resources): NodeSet | null {
    let short: NodeSet | null = null;
    const asked = Object.entries(requests).filter(([resource, amount]) => amount > this.#leastOf(resource));
    for (const [resource, amount] of [...asked, ...(this.#leastOf("pods") < 1 ? [["pods", 1] as const] : [])]) {
      const set = this.#lacking(resource, amount);
      short = short === null ? set : either(short, set);
    }
    return short;
  }

  #lacking(resource: string, amount: number): NodeSet {
    return this.#remember(`short\0${resource}\0${amount}`, () => {
      const set = emptySet(this.#nodes.length);
      const requests = resource === "pods" ? {} : { [resource]: amount };
      this.#nodes.forEach((node, place) => {
        if (shortResources(requests, node.allocatable).some((one) => one.resource === resource)) addTo(set, place);
      });
      return set;
    });
  }

  #remember(key: string, make: () => NodeSet): NodeSet {
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = make();
      if (this.#sets.size >= MOST_REMEMBERED) this.#sets.clear();
      this.#sets.set(key, set);
    }
    return set;
  }

  #column(key: string): LabelColumn {
    this.#columns ??= columnsOf(this.#nodes);
    return this.#columns.get(key) ?? NO_VALUES;
  }

  /** How many different values a label has. */
  distinctValues(key: string): number {
    return this.#column(key).size;
  }

  /** The index of a node by its name; null when there is none. */
  placeOf(name: string): number | null {
    this.#places ??= new Map(this.#nodes.map((node, place) => [node.name, place]));
    return this.#places.get(name) ?? null;
  }

  /** The smallest amount that a node with a status offers; where none has one, nothing is ever short. */
  #leastOf(resource: string): number {
    let least = this.#least.get(resource);
    if (least === undefined) {
      least = Number.POSITIVE_INFINITY;
      const whenAbsent = resource === "pods" ? Number.POSITIVE_INFINITY : 0;
      for (const { allocatable } of this.#nodes) {
        if (allocatable !== null) least = Math.min(least, allocatable[resource] ?? whenAbsent);
      }
      this.#least.set(resource, least);
    }
    return least;
  }
}

/** A column that is still being read, with the value met last: neighbours are often alike. */
interface OpenColumn {
  readonly key: string;
  readonly places: Map<string, number[]>;
  lastValue: string;
  lastPlaces: number[];
}

/**
 * All labels in one pass over the nodes, which is several times cheaper than a pass for each. Nodes of one pool stand
 * together and have the same labels in the same order, so most columns are found where the last node's were.
 */
function columnsOf(nodes: readonly LabelledNode[]): ReadonlyMap<string, LabelColumn> {
  const columns = new Map<string, OpenColumn>();
  const trail: OpenColumn[] = [];
  for (let place = 0; place < nodes.length; place++) {
    const labels = nodes[place]?.labels ?? {};
    let step = 0;
    for (const key in labels) {
      const value = labels[key];
      if (value === undefined) continue;
      let column = trail[step];
      if (column?.key !== key) {
        column = openColumn(columns, key);
        trail[step] = column;
      }
      step++;
      if (column.lastValue === value && column.lastPlaces.length > 0) column.lastPlaces.push(place);
      else addPlace(column, value, place);
    }
  }
  return new Map([...columns].map(([key, column]) => [key, column.places]));
}

function openColumn(columns: Map<string, OpenColumn>, key: string): OpenColumn {
  let column = columns.get(key);
  if (column === undefined) {
    column = { key, places: new Map(), lastValue: "", lastPlaces: [] };
    columns.set(key, column);
  }
  return column;
}

function addPlace(column: OpenColumn, value: string, place: number): void {
  const places = column.places.get(value) ?? [];
  if (places.length === 0) column.places.set(value, places);
  places.push(place);
  column.lastValue = value;
  column.lastPlaces = places;
}

/** The label keys that a spec's selectors mention, sorted. */
export function selectedKeys(spec: Pick<PodSpec, "nodeName" | "nodeSelector" | "requiredAffinity">): readonly string[] {
  const { nodeSelector, terms } = compileSelection(spec);
  const keys = new Set(nodeSelector.map(([key]) => key));
  for (const term of terms ?? []) {
    for (const { field, source } of term.requirements) if (!field) keys.add(source.key);
  }
  return [...keys].sort();
}
