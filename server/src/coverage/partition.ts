// Coverage layer: nodes in classes. Rows are classes by label (and what else a workload asks), cells split a row by
// profile (taints). A change of taints moves nodes between the cells of a row and leaves everything else shared.
import type { Axis } from "./axis.ts";

/** Nodes of one row with one profile. */
export interface Cell {
  readonly profile: number;
  /** Node indices, ascending. */
  readonly members: Int32Array;
}

export interface Row {
  /** A node of the row. */
  readonly first: number;
  readonly size: number;
  readonly cells: readonly Cell[];
}

export interface Partition {
  readonly rowOf: Int32Array;
  readonly rows: readonly Row[];
}

/** For each node its row, before profiles come in. */
interface Grouping {
  readonly rowOf: Int32Array;
  readonly count: number;
}

/** Groups the nodes by all axes at once. */
export function groupByAxes(nodes: number, axes: readonly Axis[]): Grouping {
  let grouping: Grouping = { rowOf: new Int32Array(nodes), count: Math.min(nodes, 1) };
  for (const axis of axes) grouping = refine(grouping, axis);
  return grouping;
}

/** Splits every group by one axis; new groups are numbered in the order of their first node. */
function refine(grouping: Grouping, axis: Axis): Grouping {
  const { rowOf, count } = grouping;
  const slots = count * axis.size;
  const dense = slots <= 1 << 20;
  const table = dense ? new Int32Array(slots) : null;
  const sparse = new Map<number, number>();
  const refined = new Int32Array(rowOf.length);
  let rows = 0;
  for (let node = 0; node < rowOf.length; node++) {
    const slot = (rowOf[node] ?? 0) * axis.size + (axis.ids[node] ?? 0);
    // Stored one up, so that 0 is "not seen yet".
    let row = table === null ? (sparse.get(slot) ?? 0) : (table[slot] ?? 0);
    if (row === 0) {
      row = ++rows;
      if (table === null) sparse.set(slot, row);
      else table[slot] = row;
    }
    refined[node] = row - 1;
  }
  return { rowOf: refined, count: rows };
}

/** Splits the rows of a grouping into cells by profile. */
export function buildPartition(grouping: Grouping, profileOf: Int32Array, profiles: number): Partition {
  const { rowOf, count } = grouping;
  const cellAxis: Axis = { id: "", ids: profileOf, size: Math.max(profiles, 1) };
  const cells = refine(grouping, cellAxis);
  const members = membersOf(cells);
  const rows: { first: number; size: number; cells: Cell[] }[] = [];
  for (let row = 0; row < count; row++) rows.push({ first: -1, size: 0, cells: [] });
  for (const list of members) {
    const first = list[0] ?? 0;
    const row = rows[rowOf[first] ?? 0];
    if (row === undefined) continue;
    if (row.first < 0) row.first = first;
    row.size += list.length;
    row.cells.push({ profile: profileOf[first] ?? 0, members: list });
  }
  return { rowOf, rows };
}

/** The nodes of each group, ascending: one array, cut into views. */
function membersOf(grouping: Grouping): readonly Int32Array[] {
  const { rowOf, count } = grouping;
  const starts = new Int32Array(count + 1);
  for (let node = 0; node < rowOf.length; node++) {
    const after = (rowOf[node] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let row = 0; row < count; row++) starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
  const order = new Int32Array(rowOf.length);
  const next = starts.slice();
  for (let node = 0; node < rowOf.length; node++) {
    const row = rowOf[node] ?? 0;
    const place = next[row] ?? 0;
    order[place] = node;
    next[row] = place + 1;
  }
  return Array.from({ length: count }, (_, row) => order.subarray(starts[row], starts[row + 1]));
}

/** The partition after nodes changed their profile. */
export function moveNodes(
  partition: Partition,
  moved: readonly { readonly node: number; readonly from: number; readonly to: number }[],
): Partition {
  const rows = [...partition.rows];
  for (const { node, from, to } of moved) {
    const place = partition.rowOf[node] ?? 0;
    const row = rows[place];
    if (row === undefined) continue;
    const cells: Cell[] = [];
    let landed = false;
    for (const cell of row.cells) {
      if (cell.profile === from) {
        const members = cell.members.filter((member) => member !== node);
        if (members.length > 0) cells.push({ profile: from, members });
      } else if (cell.profile === to) {
        landed = true;
        cells.push({ profile: to, members: Int32Array.from([...cell.members, node]).sort() });
      } else cells.push(cell);
    }
    if (!landed) cells.push({ profile: to, members: Int32Array.of(node) });
    rows[place] = { ...row, cells };
  }
  return { rowOf: partition.rowOf, rows };
}
