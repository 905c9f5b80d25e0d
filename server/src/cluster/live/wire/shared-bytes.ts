// Live cluster, wire format: values that repeat by the thousand (the containers and tolerations of one template's pods),
// known again by their bytes, so that they are decoded and kept once.

/** What the service account's token volume is called in every pod, before five random characters. */
const TOKEN_VOLUME = Buffer.from("kube-api-access-", "latin1");
const RANDOM = 5;
/** Values of one generation; two are remembered. */
const MOST = 8_192;
/** Longer ones are decoded each time: remembering their bytes would cost what is saved. */
const LONGEST = 64 * 1024;

interface Entry {
  readonly bytes: Buffer;
  /** Where in `bytes` five random characters begin, ascending. */
  readonly random: readonly number[];
  readonly value: object;
}

/**
 * Remembers decoded values by the bytes they came from; the lately used ones. The random part of a token volume's name
 * counts for nothing: the model leaves that volume out. Belongs to one field of one reader.
 */
export class SharedBytes {
  #young = new Map<number, Entry>();
  #old = new Map<number, Entry>();
  /** Lists come sorted by name, so that what one template made stands together. */
  #last: Entry | null = null;

  /** The value of `bytes[start, end)`: the one that `decode` gave for equal bytes before, else what it gives now. */
  value(bytes: Buffer, start: number, end: number, decode: () => object): object {
    const length = end - start;
    if (length > LONGEST) return decode();
    if (this.#last !== null && equals(this.#last, bytes, start, end)) return this.#last.value;
    const random = randomParts(bytes, start, end);
    const hash = hashOf(bytes, start, end, random);
    const held = this.#young.get(hash) ?? this.#old.get(hash);
    const known = held !== undefined && equals(held, bytes, start, end);
    const entry = known ? held : { bytes: Buffer.from(bytes.subarray(start, end)), random, value: decode() };
    if (!known || !this.#young.has(hash)) this.#remember(hash, entry);
    this.#last = entry;
    return entry.value;
  }

  #remember(hash: number, entry: Entry): void {
    if (this.#young.size >= MOST) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(hash, entry);
  }
}

/** Whether `bytes[start, end)` are the entry's, its random parts aside. */
function equals(entry: Entry, bytes: Buffer, start: number, end: number): boolean {
  const { bytes: held, random } = entry;
  if (held.length !== end - start) return false;
  let from = 0;
  for (const at of random) {
    if (bytes.compare(held, from, at, start + from, start + at) !== 0) return false;
    from = Math.min(at + RANDOM, held.length);
  }
  return bytes.compare(held, from, held.length, start + from, end) === 0;
}

/** Offsets from `start` at which the random part of a token volume's name begins. */
function randomParts(bytes: Buffer, start: number, end: number): readonly number[] {
  const used = bytes.subarray(start, end);
  const found: number[] = [];
  for (let at = used.indexOf(TOKEN_VOLUME); at >= 0; at = used.indexOf(TOKEN_VOLUME, at)) {
    at += TOKEN_VOLUME.length;
    found.push(at);
    at += RANDOM;
  }
  return found;
}

/** FNV-like over all but the random parts; equal hashes are compared byte by byte. */
function hashOf(bytes: Buffer, start: number, end: number, random: readonly number[]): number {
  let hash = end - start;
  let index = start;
  for (const at of [...random, end - start]) {
    for (const stop = start + at; index < stop; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 16_777_619);
    index += RANDOM;
  }
  return hash;
}
