// Coverage layer: taints that keep ordinary pods off a node for good reason.
import type { Taint } from "../kube/taint.ts";
import type { Role } from "./role.ts";

/** The control plane's taints, in every spelling that distributions use. */
const CONTROL_PLANE_KEYS: ReadonlySet<string> = new Set([
  "node-role.kubernetes.io/control-plane",
  "node-role.kubernetes.io/master",
  "node-role.kubernetes.io/controlplane",
  "node-role.kubernetes.io/etcd",
]);

/** Roles that a control-plane node needs like any other node. */
const NEEDED_EVERYWHERE: ReadonlySet<Role> = new Set(["network plugin", "kube-proxy", "CSI node driver"]);

/** Whether the taint marks a node of the control plane. */
export function isControlPlaneTaint(taint: Pick<Taint, "key">): boolean {
  return CONTROL_PLANE_KEYS.has(taint.key);
}

/** Whether a gap by this taint is deliberate for a workload of this role: information at most. */
export function isDeliberateTaint(taint: Pick<Taint, "key">, role: Role): boolean {
  return isControlPlaneTaint(taint) && !NEEDED_EVERYWHERE.has(role);
}
