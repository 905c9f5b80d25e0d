// Triage layer, wording: the toleration that a taint asks for, as YAML on one line and as a command.
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";

/** `- {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}`; Exists where the taint has no value. */
export function tolerationLine(taint: Taint): string {
  const value = taint.value === "" ? "operator: Exists" : `operator: Equal, value: "${taint.value}"`;
  return `- {key: ${taint.key}, ${value}, effect: ${taint.effect}}`;
}

/** What to do about taints that a DaemonSet does not tolerate; names its owner where edits would be reverted. */
export function tolerationAdvice(daemonSet: DaemonSetFacts, taints: readonly Taint[]): string {
  const lines = taints.map(tolerationLine).join(" ");
  const { controller, managedBy, deployer } = daemonSet.workload;
  const owner = controller === null ? managedBy : `${controller.kind} ${controller.name}`;
  const where =
    controller !== null
      ? `in the settings of its owner ${owner} (edits of the DaemonSet are reverted)`
      : deployer !== null
        ? `in its ${deployer} source`
        : "in its pod template";
  return `Add ${lines} to the tolerations of DaemonSet ${daemonSet.key} ${where}, or exclude these nodes on purpose.`;
}

/** The taints in kubectl's notation, joined. */
export function taintList(taints: readonly Taint[]): string {
  return taints.map(formatTaint).join(", ");
}
