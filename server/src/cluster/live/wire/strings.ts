// Live cluster, wire format: strings out of bytes. Short ASCII strings repeat by the thousand (label keys, phases,
// images), so equal ones become the same string object and cost no memory twice.

const SLOTS = 1 << 14;
const LONGEST = 96;

/** Reads strings from UTF-8 bytes and shares equal short ones. Belongs to one reader; holds at most 16,384 strings. */
export class StringReader {
  readonly #slots: (string | undefined)[] = new Array<string | undefined>(SLOTS);

  /** The string of `bytes[start, end)`. */
  read(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return "";
    if (length > LONGEST) return bytes.toString("utf8", start, end);
    let hash = length;
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte >= 0x80) return bytes.toString("utf8", start, end);
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const held = this.#slots[slot];
    if (held !== undefined && held.length === length && sameBytes(held, bytes, start)) return held;
    const fresh = bytes.toString("latin1", start, end);
    this.#slots[slot] = fresh;
    return fresh;
  }
}

function sameBytes(text: string, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
