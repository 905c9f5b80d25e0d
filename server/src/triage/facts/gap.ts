// Triage layer, facts: which untolerated taints make a gap that nobody wants.
import { matchesName, matchesTaint, matchesWorkload } from "../../config/pattern.ts";
import type { ExpectedGap } from "../../config/workspace.ts";
import { isDeliberateTaint } from "../../coverage/deliberate-taints.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import type { Taint } from "../../kube/taint.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import type { NodeFacts } from "./node.ts";
import { isPassing } from "./taint-nature.ts";

/** Untolerated hard taints, by what they mean for the DaemonSet. */
export interface Gap {
  /** Lasting, and neither deliberate for the role nor expected: what makes the gap. */
  readonly unwanted: readonly Taint[];
  /** Lasting, and meant to keep it away. */
  readonly meant: readonly Taint[];
  /** Those that go by themselves or with their reason. */
  readonly passing: readonly Taint[];
}

/** Sorts the node's untolerated hard taints. */
export function gapOf(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): Gap {
  const untolerated = daemonSet.untolerated(node);
  if (untolerated.length === 0) return NO_GAP;
  const goes = (taint: Taint) => isPassing(taint) || isTransientTaint(taint, facts.options.transientTaints);
  const lasting = untolerated.filter((taint) => !goes(taint));
  const isMeant = (taint: Taint) =>
    isDeliberateTaint(taint, daemonSet.role) ||
    facts.options.expected.some((entry) => expects(entry, facts.cluster.name, node, daemonSet, taint));
  const meant = lasting.filter(isMeant);
  return {
    // One reason to keep away is enough: another taint beside it changes nothing.
    unwanted: meant.length > 0 ? [] : lasting,
    meant,
    passing: untolerated.filter(goes),
  };
}

const NO_GAP: Gap = { unwanted: [], meant: [], passing: [] };

/** Whether every condition that the entry sets holds. */
function expects(
  entry: ExpectedGap,
  cluster: string,
  node: NodeFacts,
  daemonSet: DaemonSetFacts,
  taint: Taint,
): boolean {
  return (
    (entry.workload === null || matchesWorkload(entry.workload, daemonSet.ref)) &&
    (entry.role === null || entry.role === daemonSet.role) &&
    (entry.taint === null || matchesTaint(entry.taint, taint)) &&
    (entry.nodes.length === 0 || entry.nodes.some((pattern) => matchesName(pattern, node.name))) &&
    (entry.clusters.length === 0 || entry.clusters.includes(cluster))
  );
}
