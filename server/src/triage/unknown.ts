// Triage layer: what could not be judged, because parts of the cluster were not read.
import type { ClusterPart, PartState } from "../cluster/model.ts";
import type { ClusterFacts } from "./facts/cluster.ts";

interface Cost {
  readonly part: ClusterPart;
  readonly name: string;
  /** What cannot be said without it. */
  readonly text: string;
  /** Whether anything of this cluster could depend on it; left out where everything could. */
  readonly matters?: (facts: ClusterFacts) => boolean;
}

/** Parts that are not listed cost no finding. */
const COSTS: readonly Cost[] = [
  { part: "nodes", name: "Nodes", text: "nothing can be said of any node" },
  { part: "pods", name: "Pods", text: "missing, waiting, evicted and stuck pods are unknown" },
  { part: "daemonsets", name: "DaemonSets", text: "missing platform pods and time bombs are unknown" },
  {
    part: "events",
    name: "Events",
    text: "why pods wait or fail, flapping and the nodes' own warnings are unknown",
  },
  {
    part: "csinodes",
    name: "CSINodes",
    text: "whether CSI drivers are registered is unknown",
    matters: usesStorage,
  },
  {
    part: "csidrivers",
    name: "CSIDrivers",
    text: "which CSI drivers there should be is known only from other nodes",
    matters: usesStorage,
  },
  {
    part: "owners",
    name: "ReplicaSets, Jobs and other owners",
    text: "whether Failed pods were replaced is known only from the pods themselves",
    matters: (facts) => facts.cluster.pods.some((pod) => pod.phase === "Failed"),
  },
  {
    part: "deviceclasses",
    name: "DeviceClasses",
    text: "whether an absent device resource comes through claims (DRA) is unknown",
    matters: (facts) => facts.index.resources().size > 0,
  },
];

/** Whether storage drivers could be at work: a driver's DaemonSet or a claim is there, or neither could be looked for. */
function usesStorage(facts: ClusterFacts): boolean {
  const { parts, pods } = facts.cluster;
  if (parts.daemonsets !== "known" || parts.pods !== "known") return true;
  const drivers = facts.platform.some((daemonSet) => daemonSet.role === "CSI node driver");
  return (
    drivers || pods.some((pod) => pod.spec.volumes.some((volume) => volume.claim !== null || volume.csiDriver !== null))
  );
}

const STATES: Readonly<Record<Exclude<PartState, "known">, string>> = {
  missing: "are not in what was read",
  forbidden: "may not be listed",
  failed: "could not be read",
};

/** One sentence per missing part, and one where ages are unknown. */
export function unknownParts(facts: ClusterFacts): readonly string[] {
  const found = COSTS.flatMap(({ part, name, text, matters }) => {
    const state = facts.cluster.parts[part];
    if (state === "known" || (matters !== undefined && !matters(facts))) return [];
    return [`${name} ${STATES[state]}: ${text}.`];
  });
  if (facts.now === null) found.push("The time of observation is unknown: everything that depends on age is unknown.");
  return found;
}
