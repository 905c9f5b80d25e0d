// Triage layer, facts: which DaemonSet registers which CSI driver.
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { tellingWords } from "./words.ts";

/** Names of the drivers that the cluster knows: CSIDriver objects and what any node has registered. Asked through the index. */
export function findDrivers(facts: ClusterFacts): readonly string[] {
  const names = new Set(facts.cluster.csiDrivers.keys());
  for (const csi of facts.cluster.csiNodes.values()) for (const driver of csi.drivers) names.add(driver.name);
  return [...names].sort();
}

/**
 * The DaemonSets that may register the driver (asked through the index): those whose names share its words, or the
 * cluster's only CSI node driver, unless the driver is registered only where they have no pod, or nowhere while they
 * register another one. Else of all the ones with a pod on every node that has it.
 */
export function findRegistrars(facts: ClusterFacts, driver: string): readonly DaemonSetFacts[] {
  const all = facts.platform.filter((daemonSet) => daemonSet.role === "CSI node driver");
  const words = tellingWords(driver);
  const named = all.filter((daemonSet) => words.some((word) => daemonSet.words.has(word)));
  const likely = named.length > 0 || all.length > 1 ? named : all;
  const nodes = [...facts.index.registeredOn(driver)];
  if (nodes.length === 0) return likely.filter((daemonSet) => !registersAnother(facts, daemonSet, driver));
  if (likely.length > 0) return likely.filter((daemonSet) => nodes.some((node) => daemonSet.livingOn.has(node)));
  return all.filter((daemonSet) => nodes.every((node) => daemonSet.livingOn.has(node)));
}

function registersAnother(facts: ClusterFacts, daemonSet: DaemonSetFacts, driver: string): boolean {
  return facts.index
    .drivers()
    .some(
      (other) =>
        other !== driver &&
        facts.index.registeredOn(other).size > 0 &&
        facts.index.registrars(other).includes(daemonSet),
    );
}

/** The drivers that a CSI DaemonSet registers, as far as they can be told apart. */
export function driversOf(facts: ClusterFacts, daemonSet: DaemonSetFacts): readonly string[] {
  if (daemonSet.role !== "CSI node driver") return [];
  return facts.index.drivers().filter((driver) => facts.index.registrars(driver).includes(daemonSet));
}
