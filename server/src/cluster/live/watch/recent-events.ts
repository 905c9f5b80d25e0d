// Live cluster, watching: events that were taken already. A server may send the last ones of a stream once more on the
// next; an older state must not overwrite a newer one meanwhile. Versions are compared for equality only.

/** As many events are remembered; more than a server sends twice. */
const REMEMBERED = 1_024;

export class RecentEvents {
  readonly #seen = new Set<string>();

  /** Whether this event is new; it is not from then on. A deletion may carry the version of the change before it. */
  isNew(type: string, version: string): boolean {
    if (version === "") return true;
    const mark = type === "DELETED" ? `-${version}` : version;
    if (this.#seen.has(mark)) return false;
    this.#seen.add(mark);
    if (this.#seen.size > REMEMBERED) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    return true;
  }

  /** A new list was read: whatever comes now may come for the first time. */
  clear(): void {
    this.#seen.clear();
  }
}

/**
 * Whether a bookmark leads backwards: the server's storage was restored from an older copy, and a watch from our version
 * would stay silent until it has caught up. Decimal versions of one resource can be ordered (Kubernetes 1.35, KEP 5504);
 * of others nothing is said.
 */
export function leadsBackwards(bookmark: string, held: string): boolean {
  const decimal = /^[1-9]\d*$/;
  if (!decimal.test(bookmark) || !decimal.test(held)) return false;
  return bookmark.length === held.length ? bookmark < held : bookmark.length < held.length;
}
