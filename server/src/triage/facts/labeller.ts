// Triage layer, facts: DaemonSets that set node labels which other DaemonSets select.
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { domainOf } from "./resources.ts";
import { tellingWords } from "./words.ts";

/** Words in the name of a workload that sets labels. */
const LABELLER = /label|feature|discovery|\bnfd\b|\bgfd\b/;

interface LabelSource {
  /** Domain of the label, or a parent of it. */
  readonly domain: string;
  /** Names of the DaemonSets that set such labels, the nearest first. */
  readonly names: readonly RegExp[];
}

/** Labels whose writers are known; a label of the second kind comes from the first one's, through an operator. */
const SOURCES: readonly LabelSource[] = [
  { domain: "feature.node.kubernetes.io", names: [/nfd|node-feature-discovery/] },
  { domain: "nvidia.com", names: [/gpu-feature-discovery|\bgfd\b/, /nfd|node-feature-discovery/] },
  { domain: "amd.com", names: [/amd.*label/, /nfd|node-feature-discovery/] },
  { domain: "intel.com", names: [/nfd|node-feature-discovery/] },
];

/**
 * The DaemonSets that may set a node label, nearest first: known writers of its domain, else those that are labellers by
 * name and share a telling word with the domain. Empty when none is known.
 */
export function labellersOf(facts: ClusterFacts, label: string): readonly DaemonSetFacts[] {
  const domain = domainOf(label);
  const source = SOURCES.find((entry) => domain === entry.domain || domain.endsWith(`.${entry.domain}`));
  const known = (source?.names ?? []).flatMap((name) =>
    facts.daemonSets.filter((daemonSet) => name.test(daemonSet.name) || name.test(daemonSet.workload.selector)),
  );
  if (known.length > 0) return [...new Set(known)];
  const words = tellingWords(label);
  return facts.daemonSets.filter(
    (daemonSet) => LABELLER.test(daemonSet.name) && words.some((word) => daemonSet.words.has(word)),
  );
}
