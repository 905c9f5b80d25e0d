// Triage rule node-warning: the node itself warns again and again, and no condition says so.
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import type { NodeFacts } from "../facts/node.ts";
import { reportsFault } from "../read/condition.ts";
import { readStart } from "../read/failure.ts";
import { belongsToCondition, isNodeWarning } from "../read/node-event.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { listNames, quote } from "../wording/list.ts";
import { formatAge } from "../wording/time.ts";

/** The kubelet cleans up every five minutes: what is current has warned within the last half hour. */
const CURRENT = 30 * 60_000;
const REPEATED = 3;
/** Warnings that make a node NotReady instead of echoing it. */
const CAUSES = /CIDR/;

/**
 * One warning for all current, repeated warning events of the node that no condition at fault covers. Of a node that is
 * not Ready only those count that can be its cause.
 */
export function nodeWarning(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const faults = node.node.conditions.filter(reportsFault);
  const warnings = node.events
    .filter(isNodeWarning)
    .filter((event) => !faults.some((condition) => belongsToCondition(event, condition.type)))
    .filter((event) => node.ready === "True" || node.ready === "unstated" || CAUSES.test(event.reason));
  const reasons = [...new Set(warnings.map((event) => event.reason))].filter((reason) => {
    const same = warnings.filter((event) => event.reason === reason);
    const last = Math.max(...same.map((event) => event.lastSeen ?? 0));
    return same.reduce((sum, event) => sum + event.count, 0) >= REPEATED && !isOlder(last, facts.now, CURRENT);
  });
  const repeated = warnings.filter((event) => reasons.includes(event.reason)).sort((a, b) => b.count - a.count);
  const [main] = repeated;
  if (main === undefined) return [];
  const same = repeated.filter((event) => event.reason === main.reason);
  const times = same.reduce((sum, event) => sum + event.count, 0);
  const first = Math.min(...same.map((event) => event.firstSeen ?? event.lastSeen ?? 0));
  const span = Math.max(...same.map((event) => event.lastSeen ?? 0)) - first;
  const often = `${times} times${span >= 60_000 ? ` in ${formatAge(span)}` : ""}`;
  const text = `${main.reason} ${main.message}`;
  return [
    symptom({
      code: "node-warning",
      node: node.name,
      severity: "warning",
      message: `${node.name} warns ${often}: ${listNames(reasons)}: ${quote(main.message)}.`,
      consequence: consequenceOf(text),
      summary: listNames(reasons),
      advice: adviceOf(text, node.name),
      since: first,
      evidence: repeated.slice(0, 3).map(eventEvidence),
      about: {
        texts: repeated.map((event) => `${event.reason} ${event.message}`),
        failure: readStart(main.reason, text),
      },
    }),
  ];
}

function consequenceOf(text: string): string {
  if (/disk|ImageGC|ContainerGC/i.test(text)) return "DiskPressure comes next: then pods are evicted and refused.";
  if (/OOM/i.test(text)) return "Processes of the node or of pods are killed at random.";
  if (/^Rebooted/.test(text)) return "Every reboot ends the pods of the node.";
  if (/CIDR/.test(text)) return "The network plugin gets no address range for the node's pods.";
  return "";
}

function adviceOf(text: string, node: string): string {
  if (/disk|ImageGC|ContainerGC/i.test(text)) {
    return "On the node find what fills the disk besides images: du -xh / | sort -h | tail, crictl ps -a, journalctl --disk-usage.";
  }
  if (/OOM/i.test(text))
    return "Find the pods that use more memory than they request, and raise the kubelet's system reservation.";
  if (/^Rebooted/.test(text))
    return `Read why ${node} reboots: journalctl -b -1 -e, the console, kernel.panic and watchdog settings.`;
  if (/CIDR/.test(text)) return "Enlarge the cluster's pod CIDR (or its node mask) in the controller manager.";
  return `Read the node's events and log: kubectl describe node ${node}.`;
}
