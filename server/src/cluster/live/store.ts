// Live cluster: the objects as they come in, and the immutable model made of them. One writer; parts that did not
// change are shared between models.
import { isDeepStrictEqual } from "node:util";
import type { Interner } from "../../kube/decode/interner.ts";
import type { ClusterNode } from "../../kube/node.ts";
import type { LiveObject, LiveResource } from "./resource.ts";
import type { PlainObject } from "./wire/decode.ts";

/** What a change means for those who look at the model. */
export type Change =
  /** Nothing that the product uses differs. */
  | "none"
  /** Held, but nobody need be told: heartbeats, lease renewals. */
  | "quiet"
  | "changed";

/** The objects of one resource, by `namespace/name`. */
export class ResourceStore {
  readonly resource: LiveResource;
  readonly #interner: Interner;
  #objects = new Map<string, LiveObject>();
  #listing: Map<string, LiveObject> | null = null;

  constructor(resource: LiveResource, interner: Interner) {
    this.resource = resource;
    this.#interner = interner;
  }

  values(): IterableIterator<LiveObject> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  beginList(): void {
    this.#listing = new Map();
  }

  listed(object: PlainObject): void {
    const decoded = this.resource.decode(object, this.#interner);
    const key = keyOf(object);
    if (decoded === null || key === null || this.#listing === null) return;
    const held = this.#objects.get(key);
    this.#listing.set(key, held !== undefined && difference(held, decoded) === "none" ? held : decoded);
    keepNewest(this.#listing, this.resource.newest);
  }

  /** Replaces everything in one step, deletions included. */
  commitList(): Change {
    const fresh = this.#listing;
    this.#listing = null;
    if (fresh === null) return "none";
    const before = this.#objects;
    this.#objects = fresh;
    if (before.size !== fresh.size) return "changed";
    let change: Change = "none";
    for (const [key, object] of fresh) {
      const held = before.get(key);
      if (held === undefined) return "changed";
      if (held === object) continue;
      const found = difference(held, object);
      if (found === "changed") return "changed";
      if (found === "quiet") change = "quiet";
    }
    return change;
  }

  abandonList(): void {
    this.#listing = null;
  }

  changed(object: PlainObject): Change {
    const decoded = this.resource.decode(object, this.#interner);
    const key = keyOf(object);
    if (decoded === null || key === null) return "none";
    const held = this.#objects.get(key);
    const change = held === undefined ? "changed" : difference(held, decoded);
    if (change !== "none") this.#objects.set(key, decoded);
    keepNewest(this.#objects, this.resource.newest);
    return change;
  }

  deleted(object: PlainObject): Change {
    const key = keyOf(object);
    return key !== null && this.#objects.delete(key) ? "changed" : "none";
  }

  /** Forgets everything: a right was taken away, and what is held is no longer known to be so. */
  clear(): Change {
    if (this.#objects.size === 0) return "none";
    this.#objects = new Map();
    return "changed";
  }
}

/** Forgets the objects that were last seen longest ago; now and then, as it sorts. */
function keepNewest(objects: Map<string, LiveObject>, newest: number | null): void {
  if (newest === null || objects.size <= newest * 2) return;
  const byAge = [...objects].sort(([, left], [, right]) => seenAt(right) - seenAt(left));
  for (const [key] of byAge.slice(newest)) objects.delete(key);
}

function seenAt(object: LiveObject): number {
  return object.part === "events" ? (object.value.lastSeen ?? 0) : 0;
}

/** `namespace/name` of an object in the API's shape; null without a name. */
export function keyOf(object: PlainObject): string | null {
  const metadata = object.metadata;
  if (typeof metadata !== "object" || metadata === null || !("name" in metadata) || typeof metadata.name !== "string")
    return null;
  const namespace = "namespace" in metadata && typeof metadata.namespace === "string" ? metadata.namespace : "";
  return `${namespace}/${metadata.name}`;
}

/** What differs between two states of one object, in what the product uses. */
export function difference(before: LiveObject, after: LiveObject): Change {
  if (after.part === "leases" && before.part === "leases") {
    return before.value.renewTime === after.value.renewTime ? "none" : "quiet";
  }
  if (isDeepStrictEqual(before.value, after.value)) return "none";
  if (before.part === "nodes" && after.part === "nodes") {
    return isDeepStrictEqual(withoutHeartbeats(before.value), withoutHeartbeats(after.value)) ? "quiet" : "changed";
  }
  return "changed";
}

function withoutHeartbeats(node: ClusterNode): ClusterNode {
  return { ...node, conditions: node.conditions.map((condition) => ({ ...condition, lastHeartbeatTime: null })) };
}
