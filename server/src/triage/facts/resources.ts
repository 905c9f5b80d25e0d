// Triage layer, facts: extended resources: what a node offers, who asks for it, whose plugin makes it.
import type { ClusterNode } from "../../kube/node.ts";
import { isExtendedResource, type Resources } from "../../kube/resources.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import type { NodeFacts } from "./node.ts";
import { hasEnded } from "./pod-state.ts";
import { tellingWords } from "./words.ts";

/** What a node says of one resource; null where the key is absent. */
export interface Offer {
  readonly capacity: number | null;
  readonly allocatable: number | null;
}

/** The node's numbers for the resource; both null also where the node has no status. */
export function offerOf(node: ClusterNode, resource: string): Offer {
  return { capacity: node.capacity?.[resource] ?? null, allocatable: node.allocatable?.[resource] ?? null };
}

/** The domain of a resource or label: what stands before the slash. */
export function domainOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("/")));
}

/**
 * The name under which partitions and shares of one device belong together: `nvidia.com/gpu` for `nvidia.com/mig-…`,
 * `nvidia.com/gpu.shared` and itself. Every other resource stands alone.
 */
export function familyOf(resource: string): string {
  const domain = domainOf(resource);
  const name = resource.slice(domain.length + 1);
  if (name.startsWith("mig-")) return `${domain}/gpu`;
  return `${domain}/${name.replace(/\.shared$/, "")}`;
}

/** Sum of Allocatable over the resource's family. */
export function familyAllocatable(node: ClusterNode, resource: string): number {
  const family = familyOf(resource);
  let sum = 0;
  for (const [name, amount] of Object.entries(node.allocatable ?? {})) if (familyOf(name) === family) sum += amount;
  return sum;
}

/** Extended resources that the node names in Capacity or Allocatable. */
export function namedOn(node: ClusterNode): readonly string[] {
  const names = new Set([...Object.keys(node.capacity ?? {}), ...Object.keys(node.allocatable ?? {})]);
  return [...names].filter(isExtendedResource).sort();
}

/** What the pods bound to the node, ended ones aside, request. Asked through the index. */
export function sumRequests(node: NodeFacts): Resources {
  const sum: Record<string, number> = {};
  for (const pod of node.pods) {
    if (pod.spec.nodeName === "" || hasEnded(pod)) continue;
    for (const [resource, amount] of Object.entries(pod.spec.requests)) sum[resource] = (sum[resource] ?? 0) + amount;
  }
  return sum;
}

/** How many pods count against the node's limit. */
export function podCountOn(node: NodeFacts): number {
  return node.pods.filter((pod) => pod.spec.nodeName !== "" && !hasEnded(pod)).length;
}

/**
 * Whether the resource reaches pods through dynamic resource allocation, so that Allocatable says nothing: a
 * DeviceClass names it, or the node has slices of a driver in the resource's domain.
 */
export function servedByClaims(facts: ClusterFacts, node: string, resource: string): boolean {
  if (resource.startsWith("deviceclass.resource.kubernetes.io/")) return true;
  if (facts.cluster.deviceClasses.some((deviceClass) => deviceClass.extendedResourceName === resource)) return true;
  const domain = domainOf(resource);
  return [...facts.index.sliceDrivers(node)].some((driver) => driver === domain || driver.endsWith(`.${domain}`));
}

/**
 * The device plugins that make the resource: those with a pod on every node that offers it, or, where none does, those
 * whose names say so; the only device plugin of the cluster where nothing speaks against it. Asked through the index.
 */
export function findPlugins(facts: ClusterFacts, resource: string): readonly DaemonSetFacts[] {
  const plugins = facts.platform.filter((daemonSet) => daemonSet.role === "device plugin");
  const named = facts.platform.filter((daemonSet) => isPlugin(daemonSet) && speaksOf(daemonSet, resource));
  const offering = facts.index.offering(familyOf(resource));
  const present = plugins.filter(
    (plugin) => offering.length > 0 && offering.every((node) => plugin.livingOn.has(node.name)),
  );
  const both = named.filter((plugin) => present.includes(plugin));
  if (both.length > 0) return both;
  if (named.length > 0) return named;
  if (present.length > 0) return present;
  return plugins.length === 1 && offering.length === 0 ? plugins : [];
}

/** A device plugin by its structure, or a node agent that calls itself one. */
function isPlugin(daemonSet: DaemonSetFacts): boolean {
  return (
    daemonSet.role === "device plugin" ||
    (daemonSet.role === "node agent" && /plugin|(^|-)dp(-|$)/.test(daemonSet.name))
  );
}

/** Whether a DaemonSet's names share a telling word with the resource's or driver's name. */
export function speaksOf(daemonSet: DaemonSetFacts, name: string): boolean {
  return tellingWords(name).some((word) => daemonSet.words.has(word));
}
