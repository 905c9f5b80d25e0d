// Triage layer: what could not be judged, because parts of the cluster were not read.
import type { ClusterPart, PartState } from "../cluster/model.ts";
import type { ClusterFacts } from "./facts/cluster.ts";

/** What is unknown without a part. Parts that are not listed cost no finding. */
const COSTS: readonly (readonly [part: ClusterPart, name: string, cost: string])[] = [
  ["nodes", "Nodes", "nothing can be said of any node"],
  ["pods", "Pods", "missing, waiting, evicted and stuck pods are unknown"],
  ["daemonsets", "DaemonSets", "missing platform pods and time bombs are unknown"],
  ["events", "Events", "why pods wait or fail, flapping and the nodes' own warnings are unknown"],
  ["csinodes", "CSINodes", "whether CSI drivers are registered is unknown"],
  ["csidrivers", "CSIDrivers", "which CSI drivers there should be is known only from other nodes"],
  [
    "owners",
    "ReplicaSets, Jobs and other owners",
    "whether Failed pods were replaced is known only from the pods themselves",
  ],
  ["deviceclasses", "DeviceClasses", "whether an absent device resource comes through claims (DRA) is unknown"],
];

const STATES: Readonly<Record<Exclude<PartState, "known">, string>> = {
  missing: "are not in what was read",
  forbidden: "may not be listed",
  failed: "could not be read",
};

/** One sentence per missing part, and one where ages are unknown. */
export function unknownParts(facts: ClusterFacts): readonly string[] {
  const found = COSTS.flatMap(([part, name, cost]) => {
    const state = facts.cluster.parts[part];
    return state === "known" ? [] : [`${name} ${STATES[state]}: ${cost}.`];
  });
  if (facts.now === null) found.push("The time of observation is unknown: everything that depends on age is unknown.");
  return found;
}
