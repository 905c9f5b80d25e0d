// Coverage layer: the nodes that a workload is meant for and kept off, gathered by their taints; kept up to date when
// nodes change their taints, so that one change does not cost a look at every node again.
import type { CompiledPlacement } from "../scheduling/place.ts";
import { both, either, forEachNode, has, type NodeSet } from "./node-set.ts";
import type { NodeTable, TableChange } from "./node-table.ts";
import type { Blocked } from "./taint-sets.ts";

/** Places of nodes by profile, each list in the model's order. */
export type GapGroups = ReadonlyMap<number, readonly number[]>;

/** What decides about a workload's gaps beside the taints. */
export interface GapSubject {
  readonly admitted: NodeSet;
  readonly placement: CompiledPlacement;
  readonly tolerationsKey: string;
}

export class GapStore {
  readonly #table: NodeTable;
  readonly #groups: Map<GapSubject, GapGroups>;

  constructor(table: NodeTable, groups: Map<GapSubject, GapGroups> = new Map()) {
    this.#table = table;
    this.#groups = groups;
  }

  /** The groups of a workload that is kept off the blocked nodes. */
  of(subject: GapSubject, blocked: Blocked): GapGroups {
    let groups = this.#groups.get(subject);
    if (groups === undefined) {
      groups = this.#gather(subject, blocked);
      if (this.#groups.size >= MOST_REMEMBERED) this.#groups.clear();
      this.#groups.set(subject, groups);
    }
    return groups;
  }

  #gather(subject: GapSubject, blocked: Blocked): GapGroups {
    const lists: number[][] = [];
    const { profileOf } = this.#table;
    forEachNode(both(subject.admitted, either(blocked.noSchedule, blocked.noExecute)), (node) => {
      const profile = profileOf[node] ?? 0;
      const members = lists[profile];
      if (members === undefined) lists[profile] = [node];
      else members.push(node);
    });
    const groups = new Map<number, readonly number[]>();
    lists.forEach((members, profile) => {
      groups.set(profile, this.#table.ordered ? members : inModelOrder(members, this.#table));
    });
    return groups;
  }

  /** The store after nodes changed their taints; `blockedOf` gives where a workload is kept off now. */
  after(change: TableChange, blockedOf: (subject: GapSubject) => Blocked): GapStore {
    const groups = new Map<GapSubject, GapGroups>();
    for (const [subject, before] of this.#groups) {
      const moves = change.moved.filter(({ node }) => has(subject.admitted, node));
      groups.set(subject, moves.length === 0 ? before : moveMembers(before, moves, blockedOf(subject), change.table));
    }
    return new GapStore(change.table, groups);
  }
}

/** An editor asks about every state of a manifest that is being typed; the memory of them is bounded. */
const MOST_REMEMBERED = 4096;

function inModelOrder(members: readonly number[], table: NodeTable): readonly number[] {
  return members.toSorted((a, b) => (table.ranks[a] ?? 0) - (table.ranks[b] ?? 0));
}

function moveMembers(before: GapGroups, moves: TableChange["moved"], blocked: Blocked, table: NodeTable): GapGroups {
  const groups = new Map(before);
  for (const { node, from, to } of moves) {
    const left = (groups.get(from) ?? []).filter((member) => member !== node);
    if (left.length > 0) groups.set(from, left);
    else groups.delete(from);
    if (has(blocked.noSchedule, node) || has(blocked.noExecute, node)) {
      groups.set(to, inModelOrder([...(groups.get(to) ?? []), node], table));
    }
  }
  return groups;
}
