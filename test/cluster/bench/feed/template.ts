// Bench, the feed: an object whose bytes are made once and copied with other numbers put in, as fast as memory allows.

/** Characters that stand for digits, one for each number: no text has them, and no tag of the wire format is like them. */
const MARKS = [0x16, 0x17, 0x1e];
const SHORTEST = 5;
const ZERO = 0x30;

/** Where digits go that are not known yet. `which` is the place of their number in the list given to `write`. */
export function hole(which: number, digits = 7): string {
  return String.fromCharCode(MARKS[which] ?? 0).repeat(digits);
}

interface Hole {
  readonly which: number;
  readonly start: number;
  readonly end: number;
}

/** Bytes with holes. */
export class Template {
  readonly #bytes: Buffer;
  readonly #holes: readonly Hole[];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#holes = MARKS.flatMap((mark, which) => holesOf(bytes, mark, which));
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Writes a copy with these numbers (their last digits) to `target` at `at`; the offset behind it. */
  write(target: Buffer, at: number, numbers: readonly number[]): number {
    this.#bytes.copy(target, at);
    for (const { which, start, end } of this.#holes) {
      let left = numbers[which] ?? 0;
      for (let place = end - 1; place >= start; place -= 1) {
        target[at + place] = ZERO + (left % 10);
        left = Math.floor(left / 10);
      }
    }
    return at + this.#bytes.length;
  }
}

function holesOf(bytes: Buffer, mark: number, which: number): readonly Hole[] {
  const found: Hole[] = [];
  for (let start = bytes.indexOf(mark); start >= 0; ) {
    let end = start;
    while (bytes[end] === mark) end += 1;
    if (end - start >= SHORTEST) found.push({ which, start, end });
    start = bytes.indexOf(mark, end);
  }
  return found;
}
