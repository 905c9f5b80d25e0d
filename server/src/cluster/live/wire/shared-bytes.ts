// Live cluster, wire format: values that repeat by the thousand (the containers and tolerations of one template's pods),
// known again by their bytes, so that they are decoded and kept once.

/** What the service account's token volume is called in every pod, before five random characters. */
const TOKEN_VOLUME = Buffer.from("kube-api-access-", "latin1");
const RANDOM = 5;
const MASK = 0x2a;
/** Values of one generation; two are remembered. */
const MOST = 8_192;
/** Longer ones are decoded each time: remembering their bytes would cost what is saved. */
const LONGEST = 64 * 1024;

interface Entry {
  readonly bytes: Buffer;
  readonly value: object;
}

/**
 * Remembers decoded values by the bytes they came from; the lately used ones. The random part of a token volume's name
 * counts for nothing: the model leaves that volume out. Belongs to one field of one reader.
 */
export class SharedBytes {
  #young = new Map<number, Entry>();
  #old = new Map<number, Entry>();
  #scratch = Buffer.alloc(4_096);

  /** The value of `bytes[start, end)`: the one that `decode` gave for equal bytes before, else what it gives now. */
  value(bytes: Buffer, start: number, end: number, decode: () => object): object {
    const length = end - start;
    if (length > LONGEST) return decode();
    if (length > this.#scratch.length) this.#scratch = Buffer.alloc(length * 2);
    const scratch = this.#scratch;
    bytes.copy(scratch, 0, start, end);
    maskTokenVolumes(scratch, length);
    const hash = hashOf(scratch, length);
    const held = this.#young.get(hash) ?? this.#old.get(hash);
    if (held !== undefined && scratch.compare(held.bytes, 0, held.bytes.length, 0, length) === 0) {
      if (!this.#young.has(hash)) this.#remember(hash, held);
      return held.value;
    }
    const value = decode();
    this.#remember(hash, { bytes: Buffer.from(scratch.subarray(0, length)), value });
    return value;
  }

  #remember(hash: number, entry: Entry): void {
    if (this.#young.size >= MOST) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(hash, entry);
  }
}

function maskTokenVolumes(bytes: Buffer, length: number): void {
  const used = bytes.subarray(0, length);
  for (let at = used.indexOf(TOKEN_VOLUME); at >= 0; at = used.indexOf(TOKEN_VOLUME, at + RANDOM)) {
    at += TOKEN_VOLUME.length;
    used.fill(MASK, at, Math.min(at + RANDOM, length));
  }
}

/** FNV-like over the bytes; equal hashes are compared byte by byte. */
function hashOf(bytes: Buffer, length: number): number {
  let hash = length;
  for (let index = 0; index < length; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 16_777_619);
  return hash;
}
