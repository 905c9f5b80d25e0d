// Live cluster: objects by namespace and name, in one list that can be handed out as it is.

/**
 * A change costs the same however many objects there are, but for one copy of the list's references after each time it
 * was handed out. A new object comes last; where one goes, the last takes its place.
 */
export class ObjectTable<T> {
  readonly #places = new Map<string, Map<string, number>>();
  readonly #namespaces: string[] = [];
  readonly #names: string[] = [];
  #values: T[] = [];
  #lent = false;

  get size(): number {
    return this.#values.length;
  }

  /** The objects; never changed afterwards. */
  get values(): readonly T[] {
    this.#lent = true;
    return this.#values;
  }

  get(namespace: string, name: string): T | undefined {
    const place = this.#places.get(namespace)?.get(name);
    return place === undefined ? undefined : this.#values[place];
  }

  set(namespace: string, name: string, value: T): void {
    let names = this.#places.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#places.set(namespace, names);
    }
    let place = names.get(name);
    if (place === undefined) {
      place = this.#values.length;
      names.set(name, place);
      this.#namespaces.push(namespace);
      this.#names.push(name);
    }
    this.#own()[place] = value;
  }

  /** Whether it was there. */
  delete(namespace: string, name: string): boolean {
    const names = this.#places.get(namespace);
    const place = names?.get(name);
    if (names === undefined || place === undefined) return false;
    names.delete(name);
    if (names.size === 0) this.#places.delete(namespace);
    const values = this.#own();
    const last = values.pop();
    const lastNamespace = this.#namespaces.pop();
    const lastName = this.#names.pop();
    if (place === values.length || last === undefined || lastNamespace === undefined || lastName === undefined)
      return true;
    values[place] = last;
    this.#namespaces[place] = lastNamespace;
    this.#names[place] = lastName;
    this.#places.get(lastNamespace)?.set(lastName, place);
    return true;
  }

  /** Namespace, name and object of each. */
  *entries(): IterableIterator<readonly [string, string, T]> {
    for (const [namespace, names] of this.#places) {
      for (const [name, place] of names) {
        const value = this.#values[place];
        if (value !== undefined) yield [namespace, name, value];
      }
    }
  }

  /** The list to write to: whoever was handed the one before keeps it as it is. */
  #own(): T[] {
    if (this.#lent) this.#values = [...this.#values];
    this.#lent = false;
    return this.#values;
  }
}
