// Coverage layer: sets of nodes as bits, one per node of a table. Sets are not changed once they are handed out.

/** Bit i of word w stands for node 32·w + i. */
export type NodeSet = Uint32Array;

/** An empty set with room for so many nodes. */
export function emptySet(nodes: number): NodeSet {
  return new Uint32Array((nodes + 31) >>> 5);
}

/** The set of all nodes. */
export function fullSet(nodes: number): NodeSet {
  const set = emptySet(nodes).fill(0xffffffff);
  const rest = nodes & 31;
  if (rest > 0) set[set.length - 1] = (1 << rest) - 1;
  return set;
}

/** Puts a node into a set that is still being made. */
export function addTo(set: NodeSet, node: number): void {
  const word = node >>> 5;
  set[word] = (set[word] ?? 0) | (1 << (node & 31));
}

/** Puts all of another set into a set that is still being made. */
export function addAll(set: NodeSet, more: NodeSet): void {
  for (let word = 0; word < set.length; word++) set[word] = (set[word] ?? 0) | (more[word] ?? 0);
}

/** Takes a node out of a set that is still being made. */
export function removeFrom(set: NodeSet, node: number): void {
  const word = node >>> 5;
  set[word] = (set[word] ?? 0) & ~(1 << (node & 31));
}

export function has(set: NodeSet, node: number): boolean {
  return (((set[node >>> 5] ?? 0) >>> (node & 31)) & 1) === 1;
}

export function both(a: NodeSet, b: NodeSet): NodeSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = (a[word] ?? 0) & (b[word] ?? 0);
  return set;
}

export function either(a: NodeSet, b: NodeSet): NodeSet {
  const set = a.slice();
  addAll(set, b);
  return set;
}

export function without(a: NodeSet, b: NodeSet): NodeSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = (a[word] ?? 0) & ~(b[word] ?? 0);
  return set;
}

/** Number of nodes in the set. */
export function size(set: NodeSet): number {
  return sizeOfBoth(set, set);
}

/** Number of nodes that are in both sets. */
export function sizeOfBoth(a: NodeSet, b: NodeSet): number {
  let count = 0;
  for (let word = 0; word < a.length; word++) {
    let bits = (a[word] ?? 0) & (b[word] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Calls back with every node of the set, ascending. */
export function forEachNode(set: NodeSet, visit: (node: number) => void): void {
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word] ?? 0; bits !== 0; bits &= bits - 1) {
      visit((word << 5) + (31 - Math.clz32(bits & -bits)));
    }
  }
}
