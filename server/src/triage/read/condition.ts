// Triage layer, reading: what a node condition of a given type means.
import type { Severity } from "../../../../shared/src/severity.ts";
import type { NodeCondition } from "../../kube/node.ts";

/** Conditions that the kubelet writes, Ready aside, and the one that a cloud or network plugin writes. */
const BUILT_IN: ReadonlySet<string> = new Set(["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]);

/** Whether the type is one of the kubelet's pressures. */
export function isPressure(type: string): boolean {
  return type === "MemoryPressure" || type === "DiskPressure" || type === "PIDPressure";
}

/** Whether somebody else than kubelet, cloud or network plugin writes the type. */
export function isForeign(type: string): boolean {
  return type !== "Ready" && !BUILT_IN.has(type);
}

/** Types whose name says that True is good: `KernelReady`, `GPUHealthy`; not `Unhealthy…` or `…NotReady`. */
const GOOD_WHEN_TRUE = /(Ready|Healthy|OK|Available|Operational|Initialized|Online|Running)$/;
const NEGATED = /(Not|Un|un|Non|In)(Ready|[Hh]ealthy|OK|[Aa]vailable|[Oo]perational|[Ii]nitialized|Online|Running)$/;

/** Whether True is the good value of this type. */
export function isGoodWhenTrue(type: string): boolean {
  return GOOD_WHEN_TRUE.test(type) && !NEGATED.test(type);
}

/** Whether the condition reports a fault. Unknown of a type that is not Ready is none: often the hardware is not there. */
export function reportsFault(condition: Pick<NodeCondition, "type" | "status">): boolean {
  if (condition.type === "Ready") return false;
  return condition.status === (isGoodWhenTrue(condition.type) ? "False" : "True");
}

const UNUSABLE =
  /deadlock|read-?only|corrupt|(kubelet|runtime|containerd|docker|kernel|network|networking|storage|disk|filesystem|file.?system|cni).*(problem|unhealthy|down|hung|error|fail|ready|healthy)|outofdisk/i;
const PASSING = /^Frequent|Scheduled|Maintenance|Rebalance|Warning|Slow|Throttl/;

/**
 * How grave a fault is: the built-in ones keep pods away, as do a hung kernel, a read-only file system and a broken
 * runtime; what is frequent, planned or slow, and types whose reach is not known, are warnings.
 */
export function faultSeverity(type: string): Severity {
  if (!isForeign(type)) return "error";
  if (PASSING.test(type)) return "warning";
  return UNUSABLE.test(type) ? "error" : "warning";
}

/**
 * The name of the component that wrote NetworkUnavailable, from its reason (`CalicoIsDown` → `calico`); `cloud` for the
 * cloud's route controller; empty when the reason does not say.
 */
export function networkWriter(reason: string): string {
  if (/route/i.test(reason)) return "cloud";
  return (/^([A-Za-z0-9]+?)Is[A-Z]/.exec(reason)?.[1] ?? "").toLowerCase();
}
