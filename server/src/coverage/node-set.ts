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

/** Whether the node is in the set. */
export function has(set: NodeSet, node: number): boolean {
  return (((set[node >>> 5] ?? 0) >>> (node & 31)) & 1) === 1;
}

/** The nodes that are in both sets, which have room for as many nodes. */
export function both(a: NodeSet, b: NodeSet): NodeSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = (a[word] ?? 0) & (b[word] ?? 0);
  return set;
}

/** The nodes that are in one of the sets, which have room for as many nodes. */
export function either(a: NodeSet, b: NodeSet): NodeSet {
  const set = a.slice();
  addAll(set, b);
  return set;
}

/** The nodes of `a` that are not in `b`. */
export function without(a: NodeSet, b: NodeSet): NodeSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = (a[word] ?? 0) & ~(b[word] ?? 0);
  return set;
}

/** Number of nodes in the set. */
export function size(set: NodeSet): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) count += bitCount(set[word] ?? 0);
  return count;
}

/** Number of bits that are set in a word. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The words of a set that are not empty, and where they stand: short for nodes that stand side by side. */
export interface SparseSet {
  readonly words: readonly number[];
  readonly bits: readonly number[];
}

/** The places with one number. */
export interface NumberedSet extends SparseSet {
  readonly number: number;
}

/** The sparse sets of places with equal numbers, in the order of their first place. */
export function sparseSetsOf(numbers: Int32Array): readonly NumberedSet[] {
  const sets = new Map<number, { number: number; words: number[]; bits: number[] }>();
  numbers.forEach((number, node) => {
    let set = sets.get(number);
    if (set === undefined) {
      set = { number, words: [], bits: [] };
      sets.set(number, set);
    }
    const word = node >>> 5;
    const last = set.words.length - 1;
    if (set.words[last] === word) set.bits[last] = (set.bits[last] ?? 0) | (1 << (node & 31));
    else {
      set.words.push(word);
      set.bits.push(1 << (node & 31));
    }
  });
  return [...sets.values()];
}

/** The sparse set of some nodes, in any order. */
export function sparseSetOf(nodes: readonly number[]): SparseSet {
  const byWord = new Map<number, number>();
  for (const node of nodes) byWord.set(node >>> 5, (byWord.get(node >>> 5) ?? 0) | (1 << (node & 31)));
  const words = [...byWord.keys()].sort((a, b) => a - b);
  return { words, bits: words.map((word) => byWord.get(word) ?? 0) };
}

/** The nodes of a sparse set that are in the other set too; null where there is none. */
export function sparseAnd(sparse: SparseSet, set: NodeSet): SparseSet | null {
  let common: { words: number[]; bits: number[] } | null = null;
  for (let entry = 0; entry < sparse.words.length; entry++) {
    const word = sparse.words[entry] ?? 0;
    const bits = (sparse.bits[entry] ?? 0) & (set[word] ?? 0);
    if (bits === 0) continue;
    common ??= { words: [], bits: [] };
    common.words.push(word);
    common.bits.push(bits);
  }
  return common;
}

/** The nodes of a sparse set that are not in the other set; null where there is none. */
export function sparseWithout(sparse: SparseSet, set: NodeSet): SparseSet | null {
  let left: { words: number[]; bits: number[] } | null = null;
  for (let entry = 0; entry < sparse.words.length; entry++) {
    const word = sparse.words[entry] ?? 0;
    const bits = (sparse.bits[entry] ?? 0) & ~(set[word] ?? 0);
    if (bits === 0) continue;
    left ??= { words: [], bits: [] };
    left.words.push(word);
    left.bits.push(bits);
  }
  return left;
}

/** Number of nodes that are in both sets. */
export function sparseSizeOfBoth(sparse: SparseSet, set: NodeSet): number {
  let count = 0;
  for (let entry = 0; entry < sparse.words.length; entry++) {
    count += bitCount((sparse.bits[entry] ?? 0) & (set[sparse.words[entry] ?? 0] ?? 0));
  }
  return count;
}

/** Whether `expected` is what `sparseAnd` of the other two would give. */
export function isSparseAnd(expected: SparseSet, sparse: SparseSet, set: NodeSet): boolean {
  let met = 0;
  for (let entry = 0; entry < sparse.words.length; entry++) {
    const word = sparse.words[entry] ?? 0;
    const bits = (sparse.bits[entry] ?? 0) & (set[word] ?? 0);
    if (bits === 0) continue;
    if (expected.words[met] !== word || expected.bits[met] !== bits) return false;
    met++;
  }
  return met === expected.words.length;
}

/** The first node of a set that is not empty. */
export function firstOf(sparse: SparseSet): number {
  const bits = sparse.bits[0] ?? 0;
  return ((sparse.words[0] ?? 0) << 5) + (31 - Math.clz32(bits & -bits));
}

/** The nodes of the set, ascending. */
export function membersOf(sparse: SparseSet): readonly number[] {
  const members: number[] = [];
  for (let entry = 0; entry < sparse.words.length; entry++) {
    const base = (sparse.words[entry] ?? 0) << 5;
    for (let bits = sparse.bits[entry] ?? 0; bits !== 0; bits &= bits - 1) {
      members.push(base + (31 - Math.clz32(bits & -bits)));
    }
  }
  return members;
}
