// Cluster layer, snapshot: tables of parts that many objects share (containers, labels, tolerations): each is written
// once, objects name it by its number, and after reading they share it again.
import { type Codec, refuse } from "./codec.ts";

/** The table of one kind of part. */
export class SharedTable<T extends object> {
  readonly name: string;
  readonly codec: Codec<T>;
  /** What objects hold instead of the part. */
  readonly reference: Codec<T>;
  readonly #values: T[] = [];
  readonly #byIdentity = new Map<T, number>();
  readonly #byContent = new Map<string, number>();

  constructor(name: string, codec: Codec<T>) {
    this.name = name;
    this.codec = codec;
    this.reference = {
      blank: codec.blank,
      isBlank: codec.isBlank,
      write: (value) => this.#numberOf(value),
      read: (stored, at) => {
        const value = typeof stored === "number" ? this.#values[stored] : undefined;
        return value ?? refuse(at, `a number of the table ${name}`);
      },
    };
  }

  /** The parts to write, in the order of their numbers. */
  written(): readonly T[] {
    return this.#values;
  }

  /** Takes parts as they are read, before the objects that name them. */
  load(stored: readonly unknown[]): void {
    for (const item of stored) this.#values.push(this.codec.read(item, `${this.name}[${this.#values.length}]`));
  }

  #numberOf(value: T): number {
    const known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    const content = JSON.stringify(value);
    const number = this.#byContent.get(content) ?? this.#values.length;
    if (number === this.#values.length) {
      this.#values.push(value);
      this.#byContent.set(content, number);
    }
    this.#byIdentity.set(value, number);
    return number;
  }
}
