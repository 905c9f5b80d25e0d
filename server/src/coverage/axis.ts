// Coverage layer: the respects in which a workload's own rules can tell two nodes apart.
import { type CompiledRequirement, type CompiledSelection, requirementMatches } from "../scheduling/node-affinity.ts";
import type { CompiledPlacement } from "../scheduling/place.ts";
import { shortResources } from "../scheduling/resource-fit.ts";
import { type LabelColumn, labelColumn, type TableNode } from "./node-table.ts";

/** One respect: nodes with equal ids look alike in it. */
export interface Axis {
  /** Equal ids mean equal axes, over all workloads. */
  readonly id: string;
  readonly ids: Int32Array;
  /** Ids run from 0 to size - 1. */
  readonly size: number;
}

/** A label with more values than this is split by what the workload asks of it, not by value: a hostname would make every node its own class. */
const NARROW = 64;

/** The axes of the nodes of one table, each built once. It holds no node's taints, so it outlives their changes. */
export class AxisStore {
  readonly #nodes: readonly TableNode[];
  readonly #columns = new Map<string, LabelColumn>();
  readonly #axes = new Map<string, Axis>();
  readonly #least = new Map<string, number>();

  constructor(nodes: readonly TableNode[]) {
    this.#nodes = nodes;
  }

  /** The axes of a workload, sorted by id, those left out in which all nodes look alike. */
  axesOf(placement: CompiledPlacement): readonly Axis[] {
    const byKey = requirementsByKey(placement.selection);
    const axes = [...byKey].map(([key, requirements]) => this.#labelAxis(key, requirements));
    const names = namesAsked(placement.selection);
    if (names.length > 0) axes.push(this.#nameAxis(names));
    for (const [resource, requested] of Object.entries(placement.spec.requests)) {
      if (requested > this.#leastOf(resource)) axes.push(this.#resourceAxis(resource, requested));
    }
    if (this.#leastOf("pods") < 1) axes.push(this.#resourceAxis("pods", 1));
    return axes.filter((axis) => axis.size > 1).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #labelAxis(key: string, requirements: readonly CompiledRequirement[]): Axis {
    const column = this.#column(key);
    if (column.values.length <= NARROW) {
      return this.#axis(`=${key}`, () => ({ ids: column.ids, size: column.values.length }));
    }
    const asked = requirements.map(({ source }) => source);
    return this.#axis(`~${key} ${JSON.stringify(asked)}`, () => {
      const outcomeIds = new Interned();
      const idOfValue = column.values.map((value) => {
        const node = { name: "", labels: value === null ? {} : { [key]: value } };
        return outcomeIds.of(requirements.map((one) => (requirementMatches(one, node) ? "1" : "0")).join(""));
      });
      return { ids: column.ids.map((id) => idOfValue[id] ?? 0), size: outcomeIds.size };
    });
  }

  #nameAxis(names: readonly string[]): Axis {
    return this.#axis(`@${JSON.stringify(names)}`, () => ({
      ids: Int32Array.from(this.#nodes, (node) => names.indexOf(node.name) + 1),
      size: names.length + 1,
    }));
  }

  /** Nodes that have enough look alike; of the others, those that offer the same. */
  #resourceAxis(resource: string, requested: number): Axis {
    return this.#axis(`#${resource} ${requested}`, () => {
      const amounts = new Interned();
      amounts.of("enough");
      const requests = resource === "pods" ? {} : { [resource]: requested };
      const ids = Int32Array.from(this.#nodes, (node) => {
        const short = shortResources(requests, node.allocatable).find((one) => one.resource === resource);
        return short === undefined ? 0 : amounts.of(`${short.advertised} ${short.allocatable}`);
      });
      return { ids, size: amounts.size };
    });
  }

  #axis(id: string, build: () => Omit<Axis, "id">): Axis {
    let axis = this.#axes.get(id);
    if (axis === undefined) {
      axis = { id, ...build() };
      this.#axes.set(id, axis);
    }
    return axis;
  }

  #column(key: string): LabelColumn {
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = labelColumn(this.#nodes, key);
      this.#columns.set(key, column);
    }
    return column;
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

/** Small numbers for texts, in the order of their first use. */
class Interned {
  readonly #ids = new Map<string, number>();

  of(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(text, id);
    }
    return id;
  }

  get size(): number {
    return this.#ids.size;
  }
}

/** What is asked of each label, nodeSelector entries as `In`. */
function requirementsByKey(selection: CompiledSelection): ReadonlyMap<string, readonly CompiledRequirement[]> {
  const byKey = new Map<string, CompiledRequirement[]>();
  const add = (requirement: CompiledRequirement): void => {
    const { key } = requirement.source;
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [requirement]);
    else list.push(requirement);
  };
  for (const [key, value] of selection.nodeSelector) {
    add({ source: { key, operator: "In", values: [value] }, field: false, number: null });
  }
  for (const term of selection.terms ?? []) {
    for (const requirement of term.requirements) {
      if (!requirement.field) add(requirement);
    }
  }
  return byKey;
}

/** Node names that the selection mentions, sorted. */
function namesAsked(selection: CompiledSelection): readonly string[] {
  const names = new Set<string>();
  if (selection.nodeName !== "") names.add(selection.nodeName);
  for (const term of selection.terms ?? []) {
    for (const { field, source } of term.requirements) {
      if (field && source.key === "metadata.name") for (const name of source.values) names.add(name);
    }
  }
  return [...names].sort();
}
