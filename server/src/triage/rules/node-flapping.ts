// Triage rule node-flapping: Ready comes and goes.
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import type { NodeFacts } from "../facts/node.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { formatAge } from "../wording/time.ts";

const HOUR = 3_600_000;
/** Fewer changes than this are reboots and updates. */
const CHANGES = 4;

/**
 * One warning when the node turned NotReady at least four times, at least once an hour on average, the last time within
 * the hour. Whether kubelet or node controller reports it tells a sick runtime from a missed lease.
 */
export function nodeFlapping(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.ready === "Unknown") return [];
  const changes = node.events.filter((event) => event.reason === "NodeNotReady");
  const times = changes.reduce((sum, event) => sum + event.count, 0);
  const first = Math.min(...changes.map((event) => event.firstSeen ?? event.lastSeen ?? Number.POSITIVE_INFINITY));
  const last = changes.at(-1);
  if (last === undefined || last.lastSeen === null || times < CHANGES) return [];
  if (isOlder(last.lastSeen, facts.now, HOUR) || last.lastSeen - first > times * HOUR) return [];
  const byController = changes.some((event) => /controller/.test(event.component));
  const who = byController
    ? "reported by the node controller: the kubelet's lease was renewed too late (slow disk, starved kubelet, network)"
    : "reported by the kubelet itself: its runtime or PLEG comes and goes, not its connection";
  const span = formatAge(Math.max(last.lastSeen - first, 1000));
  return [
    symptom({
      code: "node-flapping",
      node: node.name,
      severity: "warning",
      message: `${node.name} turned NotReady ${times} times in ${span}, ${who}.`,
      consequence: "Every change taints the node and can evict pods.",
      summary: `Ready flaps (${times} times in ${span})`,
      advice: byController
        ? `On ${node.name} look for what starves the kubelet: iostat -x 1, dmesg -T, and the network to the API server.`
        : `On ${node.name} read journalctl -u kubelet -u containerd around the times of the events.`,
      since: Number.isFinite(first) ? first : null,
      evidence: changes.slice(-2).map(eventEvidence),
      about: { condition: "Ready" },
    }),
  ];
}
