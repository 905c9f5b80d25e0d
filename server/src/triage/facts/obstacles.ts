// Triage layer, facts: what keeps a waiting pod off a node, when only the node's own faults do.

import { isServedByDra } from "../../coverage/dra.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { admits, type CompiledSelection } from "../../scheduling/node-affinity.ts";
import { countingTaints } from "../../scheduling/place.ts";
import { shortWithUsed } from "../../scheduling/resource-fit.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import type { Symptom } from "../symptom.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { NodeFacts } from "./node.ts";
import { familyOf, podCountOn } from "./resources.ts";

/** One thing in the way, and the fault of the node that explains it. */
export interface Obstacle {
  readonly kind: "taint" | "resource" | "driver" | "claim";
  /** Taint key, resource, driver, or DaemonSet. */
  readonly name: string;
  readonly text: string;
  readonly symptom: Symptom;
}

/** A waiting pod, its selection read once. */
export interface WaitingPod {
  readonly pod: ClusterPod;
  readonly selection: CompiledSelection;
  /** What the scheduler says of it; empty when it says nothing. */
  readonly words: string;
}

/**
 * The obstacles when every one of them is explained by a symptom of the node; empty when nothing is in the way; null
 * when something else is (selector, a dedicating taint, room), so that the node is not to blame.
 */
export function obstaclesOn(
  facts: ClusterFacts,
  node: NodeFacts,
  waiting: WaitingPod,
  symptoms: readonly Symptom[],
): readonly Obstacle[] | null {
  const { pod } = waiting;
  if (!admits(waiting.selection, node.node)) return null;
  const found: Obstacle[] = [];
  for (const taint of countingTaints("scheduled", node.node)) {
    if (anyTolerates(pod.spec.tolerations, taint, facts.options.scheduling)) continue;
    const symptom = faultBehind(taint, symptoms);
    if (symptom === undefined) return null;
    found.push({ kind: "taint", name: taint.key, text: symptom.summary || formatTaint(taint), symptom });
  }
  const short = shortWithUsed(pod.spec.requests, node.node.allocatable, facts.index.requested(node), podCountOn(node));
  for (const { resource, requested } of short) {
    if (isServedByDra(resource, facts.cluster)) continue;
    const symptom = resourceFault(facts, node, resource, requested, symptoms);
    if (symptom === undefined) return null;
    found.push({ kind: "resource", name: resource, text: symptom.summary, symptom });
  }
  return [
    ...found,
    ...driverObstacles(facts, waiting, symptoms),
    ...claimObstacles(pod, symptoms),
    ...localVolumeObstacles(waiting, symptoms),
  ];
}

/** The symptom that has put the taint on the node, or says why it is still there. */
function faultBehind(taint: Taint, symptoms: readonly Symptom[]): Symptom | undefined {
  return (
    symptoms.find((symptom) => symptom.code.startsWith("node-") && symptom.about.taintKeys.includes(taint.key)) ??
    symptoms.find((symptom) => symptom.code === "taint-left-behind" && symptom.about.taintKeys.includes(taint.key))
  );
}

/** The loss of devices that explains the shortage: not where no healthy node of the cluster has as many. */
function resourceFault(
  facts: ClusterFacts,
  node: NodeFacts,
  resource: string,
  requested: number,
  symptoms: readonly Symptom[],
): Symptom | undefined {
  if (!isExtendedResource(resource)) return undefined;
  const most = Math.max(facts.index.mostOffered(resource), node.node.capacity?.[resource] ?? 0);
  if (most > 0 && requested > most) return undefined;
  return symptoms.find(
    (symptom) =>
      symptom.code.startsWith("extended-resource-") &&
      symptom.about.resources.some((name) => familyOf(name) === familyOf(resource)),
  );
}

/** Drivers that keep pods from being scheduled where they are missing (CSIDriver preventPodSchedulingIfMissing). */
function driverObstacles(facts: ClusterFacts, waiting: WaitingPod, symptoms: readonly Symptom[]): readonly Obstacle[] {
  const { pod, words } = waiting;
  const said = /CSI driver.* (not installed|not registered|missing)/i.test(words);
  return symptoms
    .filter((symptom) => symptom.code === "csi-driver-missing")
    .flatMap((symptom) => {
      const [driver = ""] = symptom.about.drivers;
      const prevents = facts.cluster.csiDrivers.get(driver)?.preventsScheduling ?? false;
      if (!said || !(prevents || pod.spec.volumes.some((volume) => volume.claim !== null))) return [];
      return [{ kind: "driver" as const, name: driver, text: symptom.summary, symptom }];
    });
}

/** Local volumes that nobody makes, because the provisioner has no working pod on the node. */
function localVolumeObstacles(waiting: WaitingPod, symptoms: readonly Symptom[]): readonly Obstacle[] {
  const { words } = waiting;
  if (!/available persistent volumes to bind|enough free storage/i.test(words)) return [];
  return symptoms
    .filter((symptom) => symptom.about.role === "local-storage provisioner")
    .filter((symptom) => symptom.code === "platform-pod-missing" || symptom.code === "platform-pod-not-ready")
    .map((symptom) => ({ kind: "claim" as const, name: symptom.about.daemonSet, text: symptom.summary, symptom }));
}

/** Devices that pods claim (DRA) come from a plugin's pod on the node. */
function claimObstacles(pod: ClusterPod, symptoms: readonly Symptom[]): readonly Obstacle[] {
  if (!pod.spec.usesResourceClaims) return [];
  return symptoms
    .filter((symptom) => symptom.code.startsWith("platform-pod-") && symptom.about.role === "device plugin")
    .filter((symptom) => symptom.code !== "platform-pod-time-bomb")
    .map((symptom) => ({ kind: "claim" as const, name: symptom.about.daemonSet, text: symptom.summary, symptom }));
}
