// Cluster layer, building: the objects of one kind as they are read, each identity once.

/** Where and in which version an object was read. */
export interface ObjectOrigin {
  readonly path: string;
  readonly resourceVersion: string;
}

/** What became of an object that was there before. */
export type Collision = "none" | "same" | "differs";

interface Entry<T> {
  readonly value: T;
  readonly origin: ObjectOrigin;
}

/** What `add` did. */
export interface Added {
  readonly collision: Collision;
  /** Where the object that was there before was read; null without one. */
  readonly other: ObjectOrigin | null;
}

/** Keeps one object per key: of two, the one with the newer resource version, without versions the later one. */
export class ObjectStore<T> {
  readonly #entries = new Map<string, Entry<T>>();

  add(key: string, value: T, origin: ObjectOrigin): Added {
    const present = this.#entries.get(key);
    if (present === undefined) {
      this.#entries.set(key, { value, origin });
      return { collision: "none", other: null };
    }
    const sameVersion = origin.resourceVersion !== "" && origin.resourceVersion === present.origin.resourceVersion;
    if (sameVersion || isSameContent(present.value, value)) return { collision: "same", other: present.origin };
    if (!isOlder(origin.resourceVersion, present.origin.resourceVersion)) this.#entries.set(key, { value, origin });
    return { collision: "differs", other: present.origin };
  }

  values(): readonly T[] {
    return [...this.#entries.values()].map((entry) => entry.value);
  }
}

/** Resource versions are whole numbers that grow; longer ones are newer. */
function isOlder(version: string, than: string): boolean {
  if (version.length !== than.length) return version.length < than.length;
  return version < than;
}

/** Compares decoded objects without the place they were read from. */
function isSameContent(left: unknown, right: unknown): boolean {
  return contentKey(left) === contentKey(right);
}

function contentKey(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (key === "place" ? undefined : item));
}
