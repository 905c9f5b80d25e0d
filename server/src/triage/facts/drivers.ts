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
 * The DaemonSets that may register the driver: of those whose names share its words, else of all, the ones with a pod on
 * every node that has it (asked through the index). A cluster's only CSI node driver registers every driver that no other name claims.
 */
export function findRegistrars(facts: ClusterFacts, driver: string): readonly DaemonSetFacts[] {
  const all = facts.platform.filter((daemonSet) => daemonSet.role === "CSI node driver");
  if (all.length <= 1) return all;
  const words = tellingWords(driver);
  const named = all.filter((daemonSet) => words.some((word) => daemonSet.words.has(word)));
  if (named.length > 0) return named;
  const nodes = [...facts.index.registeredOn(driver)];
  return nodes.length === 0 ? [] : all.filter((daemonSet) => nodes.every((node) => daemonSet.livingOn.has(node)));
}

/** The drivers that a CSI DaemonSet registers, as far as they can be told apart. */
export function driversOf(facts: ClusterFacts, daemonSet: DaemonSetFacts): readonly string[] {
  if (daemonSet.role !== "CSI node driver") return [];
  return facts.index.drivers().filter((driver) => facts.index.registrars(driver).includes(daemonSet));
}
