// Triage layer, facts: how grave it is when a platform pod is not there.
import type { Severity } from "../../../../shared/src/severity.ts";
import type { Taint } from "../../kube/taint.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { natureOf } from "./taint-nature.ts";

/**
 * Error where workloads of the node fail with it: network, service addresses, storage, name resolution, and whatever is
 * marked system-node-critical. The others are a part that is lost; a device plugin's loss becomes an error by its resource.
 */
export function severityOf(daemonSet: DaemonSetFacts): Severity {
  // Names are not resolved on the node without its DNS cache.
  if (/(^|[-_])(core|node-?local-?)?dns([-_]|$)/.test(daemonSet.name)) return "error";
  const grave =
    daemonSet.role === "network plugin" || daemonSet.role === "kube-proxy" || daemonSet.role === "CSI node driver";
  return grave || daemonSet.critical ? "error" : "warning";
}

/**
 * Whether a storage driver is only kept off a control-plane node, where workloads with volumes do not come either: a
 * part that is lost, not a failure.
 */
export function isOffControlPlane(daemonSet: DaemonSetFacts, taints: readonly Taint[]): boolean {
  return (
    daemonSet.role === "CSI node driver" &&
    taints.length > 0 &&
    taints.every((taint) => natureOf(taint) === "control-plane")
  );
}
