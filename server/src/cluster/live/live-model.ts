// Live cluster: the cluster model of what the stores hold. Parts whose store did not change are taken over from the
// model before, so that whoever memoises by them keeps what is known.

import { signsOf } from "../build/autoscaler.ts";
import { emptyModel } from "../empty.ts";
import { CLUSTER_PARTS, type ClusterModel, type ClusterPart, type PartState } from "../model.ts";
import { sortedByKey } from "../update.ts";
import type { LivePart, LiveValues } from "./resource.ts";
import type { ResourceStore } from "./store.ts";
import type { ReflectorState } from "./watch/state.ts";

/** One resource as it stands: what it holds, and how far that can be trusted. */
export interface FollowedResource {
  readonly store: ResourceStore;
  readonly state: ReflectorState;
}

/** The moment of a model, milliseconds since the epoch. */
export interface Now {
  /** By this machine's clock, as the reflectors tell time. */
  readonly here: number;
  /** By the server's clock, as its objects tell time. */
  readonly server: number;
}

/** Milliseconds a resource may be between two streams before what it holds counts as a memory. */
const RECONNECT_GRACE = 10_000;

/**
 * The model after changes.
 * @param before the model that was given out last; its unchanged lists are shared
 * @param dirty the parts whose stores changed since
 */
export function liveModel(
  before: ClusterModel,
  parts: readonly FollowedResource[],
  dirty: ReadonlySet<ClusterPart>,
  now: Now,
): ClusterModel {
  const values = <Part extends LivePart>(part: Part): readonly LiveValues[Part][] => valuesOf(parts, part);
  const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
    new Map(items.map((item) => [item.name, item]));
  const workloads = dirty.has("daemonsets") || dirty.has("owners");
  const nodes = dirty.has("nodes") ? sortedByKey(byName(values("nodes"))) : before.nodes;
  const model: ClusterModel = {
    ...before,
    nodes,
    workloads: workloads ? [...values("daemonsets"), ...values("owners")] : before.workloads,
    pods: dirty.has("pods") ? values("pods") : before.pods,
    namespaces: dirty.has("namespaces") ? byName(values("namespaces")) : before.namespaces,
    events: dirty.has("events") ? values("events") : before.events,
    csiNodes: dirty.has("csinodes") ? byName(values("csinodes")) : before.csiNodes,
    csiDrivers: dirty.has("csidrivers") ? byName(values("csidrivers")) : before.csiDrivers,
    runtimeClasses: dirty.has("runtimeclasses") ? byName(values("runtimeclasses")) : before.runtimeClasses,
    deviceClasses: dirty.has("deviceclasses") ? values("deviceclasses") : before.deviceClasses,
    resourceSlices: dirty.has("resourceslices") ? values("resourceslices") : before.resourceSlices,
    leases: dirty.has("leases") ? new Map(values("leases").map((lease) => [lease.nodeName, lease])) : before.leases,
    parts: partStates(parts),
    readNamespaces: readNamespaces(parts),
    ...freshness(parts, now),
  };
  const renewed = workloads || dirty.has("nodes");
  return renewed ? { ...model, autoscaler: { signs: signsOf(model.workloads, model.nodes.values()) } } : model;
}

/** The model before anything was read. */
export function unreadModel(name: string): ClusterModel {
  return emptyModel(name, "none");
}

/** Everything that the stores of one part hold. */
function valuesOf<Part extends LivePart>(parts: readonly FollowedResource[], part: Part): readonly LiveValues[Part][] {
  const lists = parts.flatMap(({ store }) => (isOf(store, part) ? [store.values] : []));
  return lists.length === 1 ? (lists[0] ?? []) : lists.flat();
}

function isOf<Part extends LivePart>(store: ResourceStore, part: Part): store is ResourceStore<Part> {
  return store.resource.part === part;
}

/** A part is as good as the worst of the resources it is read from. */
function partStates(parts: readonly FollowedResource[]): Record<ClusterPart, PartState> {
  const states = { ...emptyModel("", "none").parts };
  for (const part of CLUSTER_PARTS) {
    const whole = parts.filter(({ store }) => store.resource.part === part && store.resource.namespace === null);
    const found = whole.map(({ state }) => partState(state));
    states[part] = WORST_FIRST.find((state) => found.includes(state)) ?? "missing";
  }
  return states;
}

/** By part, the namespaces in which everything of it was read although the whole cluster is refused. */
function readNamespaces(parts: readonly FollowedResource[]): NonNullable<ClusterModel["readNamespaces"]> {
  const read: Partial<Record<ClusterPart, readonly string[]>> = {};
  const refused = new Set<ClusterPart>();
  for (const { store, state } of parts) if (partState(state) !== "known") refused.add(store.resource.part);
  for (const part of refused) {
    const of = parts.filter(({ store }) => store.resource.part === part);
    const namespaces = new Set(of.flatMap(({ store }) => store.resource.namespace ?? []));
    // A kind that may be read everywhere is read there too.
    const wholly = of.filter(({ store, state }) => store.resource.namespace === null && partState(state) === "known");
    const kinds = new Set(of.map(({ store }) => store.resource.plural + store.resource.fieldSelector)).size;
    const found = [...namespaces].filter((namespace) => {
      const here = of.filter(({ store }) => store.resource.namespace === namespace);
      return here.every(({ state }) => partState(state) === "known") && here.length + wholly.length === kinds;
    });
    if (found.length > 0) read[part] = found.sort();
  }
  return read;
}

const WORST_FIRST: readonly PartState[] = ["forbidden", "failed", "missing", "known"];

function partState(state: ReflectorState): PartState {
  if (state.phase === "forbidden") return "forbidden";
  // A kind that the cluster does not serve has no objects: that is knowledge, not a gap in it.
  if (state.phase === "not-served") return "known";
  if (state.synced) return "known";
  return state.phase === "listing" || state.phase === "stopped" ? "missing" : "failed";
}

/**
 * Live while every resource that was read is still followed; else what is held is a memory as old as its oldest part.
 */
function freshness(parts: readonly FollowedResource[], now: Now): Pick<ClusterModel, "origin" | "observedAt"> {
  const read = parts.filter(({ state }) => state.synced && state.phase !== "forbidden" && state.phase !== "not-served");
  if (read.length === 0) return { origin: "none", observedAt: null };
  const behind = read.filter(
    ({ state }) => state.phase !== "watching" && now.here - (state.asOf ?? 0) > RECONNECT_GRACE,
  );
  if (behind.length === 0) return { origin: "live", observedAt: now.server };
  const oldest = Math.min(...behind.map(({ state }) => state.asOf ?? 0));
  return { origin: "cache", observedAt: oldest + (now.server - now.here) };
}
