// Live cluster: the objects of one resource as they come in. One writer; what was handed out is never changed.
import { isDeepStrictEqual } from "node:util";
import type { Interner } from "../../kube/decode/interner.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { ObjectTable } from "./object-table.ts";
import type { LiveObject, LivePart, LiveResource, LiveValues } from "./resource.ts";
import type { PlainObject } from "./wire/decode.ts";

/** What a change means for those who look at the model. */
export type Change =
  /** Nothing that the product uses differs. */
  | "none"
  /** Held, but nobody need be told: heartbeats, lease renewals. */
  | "quiet"
  | "changed";

/** The objects of one resource, by namespace and name. */
export class ResourceStore<Part extends LivePart = LivePart> {
  readonly resource: LiveResource & { readonly part: Part };
  readonly #interner: Interner;
  #objects = new ObjectTable<LiveValues[Part]>();
  #listing: ObjectTable<LiveValues[Part]> | null = null;

  constructor(resource: LiveResource & { readonly part: Part }, interner: Interner) {
    this.resource = resource;
    this.#interner = interner;
  }

  get values(): readonly LiveValues[Part][] {
    return this.#objects.values;
  }

  get size(): number {
    return this.#objects.size;
  }

  beginList(): void {
    this.#listing = new ObjectTable();
  }

  listed(object: PlainObject): void {
    const key = keyOf(object);
    const value = this.#decode(object);
    if (value === null || key === null || this.#listing === null) return;
    const held = this.#objects.get(key.namespace, key.name);
    const same = held !== undefined && difference(held, value) === "none";
    this.#listing.set(key.namespace, key.name, same ? held : value);
    this.#keepNewest(this.#listing);
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
    for (const [namespace, name, value] of fresh.entries()) {
      const held = before.get(namespace, name);
      if (held === undefined) return "changed";
      if (held === value) continue;
      const found = difference(held, value);
      if (found === "changed") return "changed";
      if (found === "quiet") change = "quiet";
    }
    return change;
  }

  abandonList(): void {
    this.#listing = null;
  }

  changed(object: PlainObject): Change {
    const key = keyOf(object);
    const value = this.#decode(object);
    if (value === null || key === null) return "none";
    const held = this.#objects.get(key.namespace, key.name);
    const change = held === undefined ? "changed" : difference(held, value);
    if (change !== "none") this.#objects.set(key.namespace, key.name, value);
    this.#keepNewest(this.#objects);
    return change;
  }

  deleted(object: PlainObject): Change {
    const key = keyOf(object);
    return key !== null && this.#objects.delete(key.namespace, key.name) ? "changed" : "none";
  }

  /** Forgets everything: a right was taken away, and what is held is no longer known to be so. */
  clear(): Change {
    if (this.#objects.size === 0) return "none";
    this.#objects = new ObjectTable();
    return "changed";
  }

  #decode(object: PlainObject): LiveValues[Part] | null {
    const decoded = this.resource.decode(object, this.#interner);
    return decoded !== null && isPart(decoded, this.resource.part) ? decoded.value : null;
  }

  /** Forgets the objects that were last seen longest ago; now and then, as it sorts. */
  #keepNewest(objects: ObjectTable<LiveValues[Part]>): void {
    const { newest } = this.resource;
    if (newest === null || objects.size <= newest * 2) return;
    const byAge = [...objects.entries()].sort(([, , left], [, , right]) => seenAt(right) - seenAt(left));
    for (const [namespace, name] of byAge.slice(newest)) objects.delete(namespace, name);
  }
}

function isPart<Part extends LivePart>(
  object: LiveObject,
  part: Part,
): object is LiveObject & { readonly part: Part; readonly value: LiveValues[Part] } {
  return object.part === part;
}

type LiveValue = LiveValues[LivePart];

function seenAt(value: LiveValue): number {
  return "lastSeen" in value ? (value.lastSeen ?? 0) : 0;
}

/** How an object in the API's shape is told from others of its kind; null without a name. */
function keyOf(object: PlainObject): { readonly namespace: string; readonly name: string } | null {
  const metadata = object.metadata;
  if (typeof metadata !== "object" || metadata === null || !("name" in metadata) || typeof metadata.name !== "string")
    return null;
  const namespace = "namespace" in metadata && typeof metadata.namespace === "string" ? metadata.namespace : "";
  return { namespace, name: metadata.name };
}

/** What differs between two states of one object, in what the product uses. */
function difference(before: LiveValue, after: LiveValue): Change {
  if ("renewTime" in before && "renewTime" in after) {
    return before.renewTime === after.renewTime ? "none" : "quiet";
  }
  if (isDeepStrictEqual(before, after)) return "none";
  if ("unschedulable" in before && "unschedulable" in after) {
    return isDeepStrictEqual(withoutHeartbeats(before), withoutHeartbeats(after)) ? "quiet" : "changed";
  }
  return "changed";
}

function withoutHeartbeats(node: ClusterNode): ClusterNode {
  return { ...node, conditions: node.conditions.map((condition) => ({ ...condition, lastHeartbeatTime: null })) };
}
