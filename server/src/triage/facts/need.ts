// Triage layer, facts: whether a node needs a platform DaemonSet's pod, and what it serves there.
import { hostingOf } from "../../coverage/hosting.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { driversOf } from "./drivers.ts";
import type { NodeFacts } from "./node.ts";
import { familyAllocatable, namedOn } from "./resources.ts";
import { natureOf } from "./taint-nature.ts";
import { tellingWords } from "./words.ts";

/** Whether the node can run the DaemonSet's pods at all: no virtual node, no other operating system, not going away. */
export function canHost(node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  return !node.leaves && hostingOf("DaemonSet", daemonSet.os, node.host) === "hosts";
}

/** The extended resources of this node, or expected of it, that the device plugin makes. */
function devicesOf(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): readonly string[] {
  if (daemonSet.role !== "device plugin") return [];
  const names = new Set([...namedOn(node.node), ...facts.index.lacks(node).map((lack) => lack.resource)]);
  return [...names].filter((name) => facts.index.plugins(name).includes(daemonSet)).sort();
}

/**
 * Whether the node needs the pod. A device plugin is needed only where it picks the node by labels of its own, where
 * devices are or are expected, or where the node's own taints speak of them by name; every other platform role
 * everywhere it can run.
 */
export function needs(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  if (!canHost(node, daemonSet) || isForeignSystem(node, daemonSet)) return false;
  if (daemonSet.role !== "device plugin" || (daemonSet.picks && daemonSet.admits(node.node))) return true;
  const devices = devicesOf(facts, node, daemonSet);
  const lacking = new Set(facts.index.lacks(node).map((lack) => lack.resource));
  if (devices.some((name) => lacking.has(name) || familyAllocatable(node.node, name) > 0)) return true;
  const dedicated = node.node.taints.filter((taint) => natureOf(taint) === "dedicated");
  return dedicated.some((taint) =>
    tellingWords(`${taint.key} ${taint.value}`).some((word) => daemonSet.words.has(word)),
  );
}

/** A DaemonSet that states no operating system is made for Linux, as good as always: no Windows node misses it. */
function isForeignSystem(node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  return node.host.os === "windows" && daemonSet.os === null;
}

/** What the DaemonSet serves on this node: resources of a device plugin, drivers of a CSI node driver. */
export function servesOn(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): readonly string[] {
  return daemonSet.role === "CSI node driver" ? driversOf(facts, daemonSet) : devicesOf(facts, node, daemonSet);
}

const SWITCHED_OFF = /^(false|no|off|none|disabled?|0)$/i;

/** Whether a label that the DaemonSet selects says no on this node: somebody has switched it off here. */
export function isSwitchedOff(node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  return daemonSet
    .mismatches(node.node)
    .some(({ operator, found }) => operator === "In" && found !== null && SWITCHED_OFF.test(found));
}
