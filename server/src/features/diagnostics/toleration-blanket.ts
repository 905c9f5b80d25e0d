// Diagnostic `toleration-blanket`: a toleration without key tolerates every taint, also those of tomorrow.
import type { Role } from "../../coverage/role.ts";
import { fill } from "../fill.ts";
import { exactInstead } from "../fixes/exact-instead.ts";
import type { ManifestRule } from "./rule.ts";
import { writtenTolerations } from "./written.ts";

export const messages = {
  application:
    "This tolerates every taint{effect}: the pods may run on control-plane nodes, on nodes being drained and on pools reserved for others.",
  platform: "This tolerates every taint{effect}, also those that nodes will carry tomorrow.",
} as const;

/** Roles whose pods must be on every node, whatever its taints. */
const EVERYWHERE: ReadonlySet<Role> = new Set(["network plugin", "kube-proxy", "CSI node driver"]);

export const tolerationBlanket: ManifestRule = {
  code: "toleration-blanket",
  subject: "manifest",
  check(context) {
    const blankets = writtenTolerations(context.item).filter(
      ({ toleration }) => toleration.key === "" && toleration.operator === "Exists",
    );
    if (blankets.length === 0 || EVERYWHERE.has(context.role)) return [];
    const application = context.role === "application";
    return blankets.map((written) => {
      const { effect } = written.toleration;
      const template = application ? messages.application : messages.platform;
      return {
        severity: application ? ("information" as const) : ("hint" as const),
        span: written.label,
        message: fill(template, { effect: effect === "" ? "" : ` with effect ${effect}` }),
        fixes: exactInstead(context, written),
      };
    });
  },
};
