// Triage layer, facts: why a node that does not offer an extended resource should offer it.

import { autoscalerSigns } from "../../coverage/autoscaler.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { admits, compileSelection } from "../../scheduling/node-affinity.ts";
import { countingTaints } from "../../scheduling/place.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import { announcedBy } from "./announced.ts";
import type { ClusterFacts } from "./cluster.ts";
import { isSwitchedOff } from "./need.ts";
import type { NodeFacts } from "./node.ts";
import { speaks } from "./peers.ts";
import { domainOf, familyAllocatable, familyOf, namedOn, offerOf, servedByClaims, speaksOf } from "./resources.ts";
import { isPassing } from "./taint-nature.ts";

/** What makes us expect the resource, in words, strongest first. */
export interface Expectation {
  readonly kind: "capacity" | "baseline" | "request" | "peer" | "announced";
  readonly text: string;
}

/** A resource that the node should offer and does not. */
export interface Lack {
  readonly resource: string;
  readonly expectations: readonly Expectation[];
}

/**
 * The resources that are expected of the node and of which its family offers none, one per family. Nothing where the
 * node has no status, or where claims (DRA) bring the devices. Asked through the index.
 */
export function findLacks(facts: ClusterFacts, node: NodeFacts): readonly Lack[] {
  if (node.node.allocatable === null) return [];
  const byFamily = new Map<string, Lack>();
  for (const resource of candidates(facts, node)) {
    if (familyAllocatable(node.node, resource) > 0 || servedByClaims(facts, node.name, resource)) continue;
    const expectations = expectationsOf(facts, node, resource);
    const family = familyOf(resource);
    const known = byFamily.get(family);
    if (expectations.length === 0 || (known !== undefined && rank(known) <= rank({ resource, expectations }))) continue;
    byFamily.set(family, { resource, expectations });
  }
  return [...byFamily.values()].sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

/** A key that the node names comes before one that only others name. */
function rank(lack: Lack): number {
  return ["capacity", "baseline", "request", "announced", "peer"].indexOf(lack.expectations[0]?.kind ?? "peer");
}

function candidates(facts: ClusterFacts, node: NodeFacts): ReadonlySet<string> {
  const names = new Set(namedOn(node.node));
  const before = facts.options.baseline?.nodes.get(node.name);
  if (before !== undefined) for (const name of namedOn(before)) names.add(name);
  for (const announcement of announcedBy(node.node, isKnownResource(facts))) names.add(announcement.resource);
  for (const name of facts.index.resources()) names.add(name);
  return names;
}

const WELL_KNOWN: ReadonlySet<string> = new Set([
  "nvidia.com/gpu",
  "amd.com/gpu",
  "aws.amazon.com/neuron",
  "google.com/tpu",
  "habana.ai/gaudi",
]);

/** Whether a name is a resource of this cluster: well known, named by a node, or requested by a pod. */
function isKnownResource(facts: ClusterFacts): (name: string) => boolean {
  return (name) => WELL_KNOWN.has(name) || facts.index.resources().has(name);
}

function expectationsOf(facts: ClusterFacts, node: NodeFacts, resource: string): readonly Expectation[] {
  const found: Expectation[] = [];
  const offer = offerOf(node.node, resource);
  if ((offer.capacity ?? 0) > 0) found.push({ kind: "capacity", text: `Capacity says ${offer.capacity}` });
  const before = facts.options.baseline?.nodes.get(node.name);
  const earlier = before === undefined ? 0 : familyAllocatable(before, resource);
  if (earlier > 0) found.push({ kind: "baseline", text: `an earlier snapshot had ${earlier}` });
  const held = facts.index.requested(node)[resource] ?? 0;
  if (held > 0) found.push({ kind: "request", text: `pods on the node request ${held}` });
  for (const { resource: name, text } of announcedBy(node.node, isKnownResource(facts))) {
    if (familyOf(name) === familyOf(resource)) found.push({ kind: "announced", text: `${text} announces it` });
  }
  const peer = peerWith(facts, node, resource, offer.capacity !== null);
  if (peer !== null) found.push({ kind: "peer", text: peer });
  const picking = facts.index.plugins(resource).find((plugin) => plugin.picks && plugin.admits(node.node));
  if (picking !== undefined && facts.index.families(picking).size === 1) {
    found.push({ kind: "announced", text: `${picking.key} picks this node by its labels` });
  }
  const pod = facts.index.waiting(resource).find((waiting) => wouldTake(facts, node, resource, waiting));
  if (pod !== undefined) found.push({ kind: "request", text: `${pod.namespace}/${pod.name} waits for it` });
  const plugins = facts.index.plugins(resource);
  const off = plugins.length > 0 && plugins.every((plugin) => isSwitchedOff(node, plugin));
  return off ? found.filter(({ kind }) => kind === "capacity" || kind === "request") : found;
}

/**
 * A node of the same kind that offers the resource, in words. A key that stands on the node with 0 was registered once,
 * so that a plugin meant for both is enough of a kinship; an absent key needs something that shows the kind.
 */
function peerWith(facts: ClusterFacts, node: NodeFacts, resource: string, named: boolean): string | null {
  const family = familyOf(resource);
  // A device that was discovered by itself (`akri.sh/camera-d6097c`) is seen by some nodes and not by others.
  if (/-[0-9a-f]{6,}$/.test(resource)) return null;
  const kind = facts.index.kind(node, domainOf(family));
  const other = facts.index
    .offeringByKind(family)
    .get(kind.key)
    ?.find((peer) => peer.name !== node.name);
  if (other === undefined) return null;
  const plugins = facts.index.plugins(resource);
  // Some resources are the cloud's, for certain machines: nobody brings or asks for them here.
  const { pods, daemonsets } = facts.cluster.parts;
  const seen = pods === "known" && daemonsets === "known";
  if (!named && seen && plugins.length === 0 && !facts.index.wanted(resource)) return null;
  const meant = named && plugins.some((plugin) => plugin.admits(node.node));
  if (!kind.strong && !speaks(kind, resource) && !meant) return null;
  return `${other.name}, a node of the same kind, offers ${familyAllocatable(other.node, resource)}`;
}

/** Whether the node itself tells that it has the resource's devices, whatever waits for them. Asked through the index. */
export function showsItself(facts: ClusterFacts, node: NodeFacts, resource: string): boolean {
  const family = familyOf(resource);
  const before = facts.options.baseline?.nodes.get(node.name);
  return (
    offerOf(node.node, resource).capacity !== null ||
    (before !== undefined && familyAllocatable(before, resource) > 0) ||
    (facts.index.requested(node)[resource] ?? 0) > 0 ||
    announcedBy(node.node, isKnownResource(facts)).some((announcement) => familyOf(announcement.resource) === family)
  );
}

/**
 * Whether a waiting pod could come here but for the resource, which no node of the cluster offers, and whose plugin is
 * meant for this node. Where a node offers it, or shows that it has the devices, the pod waits for that kind of node.
 */
function wouldTake(facts: ClusterFacts, node: NodeFacts, resource: string, pod: ClusterPod): boolean {
  if (facts.index.offering(familyOf(resource)).length > 0) return false;
  const shown = facts.index.shownBy(resource);
  if (shown.size > 0 && !shown.has(node.name)) return false;
  // A pool of such machines may be at zero.
  if (shown.size === 0 && autoscalerSigns(facts.cluster).length > 0) return false;
  if (!admits(compileSelection(pod.spec), node.node)) return false;
  const blocked = countingTaints("scheduled", node.node).some(
    (taint) => !isPassing(taint) && !anyTolerates(pod.spec.tolerations, taint, facts.options.scheduling),
  );
  if (blocked) return false;
  if (offerOf(node.node, resource).capacity !== null) return true;
  // A plugin that offers another name here works: this one is misspelt, or not in its configuration.
  const domain = domainOf(resource);
  const registered = Object.entries(node.node.allocatable ?? {});
  if (registered.some(([name, amount]) => domainOf(name) === domain && amount > 0)) return false;
  const plugins = facts.index.plugins(resource);
  // The plugin's names must speak of the resource, or its pod be the only one: a wrong name is the pod's own matter.
  return plugins.some((plugin) => plugin.admits(node.node) && (speaksOf(plugin, resource) || plugins.length === 1));
}
