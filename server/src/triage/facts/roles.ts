// Triage layer, facts: the role of a DaemonSet when nodes are judged.

import type { RoleRule } from "../../config/workspace.ts";
import { findRole } from "../../coverage/find-role.ts";
import type { Role } from "../../coverage/role.ts";
import type { Workload } from "../../kube/workload.ts";

/**
 * The workload's role as coverage finds it; a DaemonSet that shows none and yet lives in kube-system, is marked
 * system-node-critical or tolerates every taint is a node agent here: who runs it wants it on every node.
 */
export function roleOf(workload: Workload, rules: readonly RoleRule[]): Role {
  const { role } = findRole(workload, rules);
  if (role !== "application" || workload.kind !== "DaemonSet") return role;
  const { priorityClassName, tolerations } = workload.template;
  const everywhere = tolerations.some(
    ({ key, operator, effect }) => key === "" && operator === "Exists" && effect === "",
  );
  const system = workload.namespace === "kube-system" || priorityClassName === "system-node-critical";
  return everywhere || system ? "node agent" : "application";
}
