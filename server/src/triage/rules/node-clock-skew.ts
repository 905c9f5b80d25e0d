// Triage rule node-clock-skew: the node's own timestamps contradict the server's.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podRef } from "../facts/pod-state.ts";
import type { Evidence } from "../finding.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { formatAge } from "../wording/time.ts";

/** Less than this is rounding, a slow request, or a dump that took its time. */
const TOLERATED = 2 * 60_000;
/** Heartbeats of an idle node move every five minutes. */
const HEARTBEAT_INTERVAL = 6 * 60_000;

interface Contradiction {
  readonly ahead: boolean;
  readonly by: number;
  readonly evidence: Evidence;
}

/**
 * One warning when stamps of the kubelet lie in the future of the observation, or when it took a pod before the server
 * had created it. An old heartbeat alone is no contradiction: it moves only every five minutes.
 */
export function nodeClockSkew(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const found = [...futureStamps(facts, node), ...earlyStarts(node)].sort((a, b) => b.by - a.by);
  const [worst] = found;
  if (worst === undefined) return [];
  const direction = worst.ahead ? "ahead of" : "behind";
  return [
    symptom({
      code: "node-clock-skew",
      node: node.name,
      severity: "warning",
      message: `The clock of ${node.name} is at least ${formatAge(worst.by)} ${direction} the API server's.`,
      consequence:
        "Certificates and tokens may count as expired or not yet valid, and leases and logs carry wrong times.",
      summary: `clock ${direction} the server's by ${formatAge(worst.by)}`,
      advice: `On ${node.name} look at time synchronisation: timedatectl, chronyc tracking.`,
      evidence: found.slice(0, 3).map((entry) => entry.evidence),
    }),
  ];
}

function futureStamps(facts: ClusterFacts, node: NodeFacts): readonly Contradiction[] {
  const { now } = facts;
  if (now === null) return [];
  const isDerived = facts.cluster.observedAtLeast === true && facts.options.now === null;
  const object = { kind: "Node", namespace: null, name: node.name };
  const heartbeats = node.node.conditions
    .filter((condition) => ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].includes(condition.type))
    .map((condition) => ({
      time: condition.lastHeartbeatTime,
      text: `lastHeartbeatTime of ${condition.type}`,
      object,
    }));
  const lease = {
    time: facts.cluster.leases.get(node.name)?.renewTime ?? null,
    text: "renewTime of the node's lease",
    object,
  };
  const starts = node.pods.flatMap((pod) =>
    pod.containers.map((status) => ({
      time: status.running?.startedAt ?? null,
      text: `startedAt of container ${status.name}`,
      object: podRef(pod),
    })),
  );
  return [...heartbeats, lease, ...starts].flatMap(({ time, text, object: about }) =>
    time !== null && time - now > TOLERATED && !(isDerived && peersPassed(facts, node, time))
      ? [
          {
            ahead: true,
            by: time - now,
            evidence: { text: `${text} lies ${formatAge(time - now)} after the observation`, at: time, object: about },
          },
        ]
      : [],
  );
}

/**
 * Whether a dump that tells its time only by what is inside of it may have been taken at `time`: other nodes' clocks
 * have come near it too, or there is no other clock to hold it against.
 */
function peersPassed(facts: ClusterFacts, node: NodeFacts, time: number): boolean {
  let hasPeer = false;
  for (const { name, ready, readyCondition } of facts.nodes.values()) {
    const heartbeat = readyCondition?.lastHeartbeatTime ?? null;
    // A silent node's last word says nothing of the present.
    if (name === node.name || heartbeat === null || ready === "Unknown") continue;
    if (heartbeat >= time - HEARTBEAT_INTERVAL) return true;
    hasPeer = true;
  }
  return !hasPeer;
}

function earlyStarts(node: NodeFacts): readonly Contradiction[] {
  return node.pods.flatMap((pod) => {
    // A mirror pod is created after its static pod has started.
    if (pod.mirror || pod.createdAt === null) return [];
    const created = pod.createdAt;
    const times = [pod.startTime, ...pod.containers.map((status) => status.running?.startedAt ?? null)];
    const earliest = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
    const by = created - earliest;
    if (!Number.isFinite(earliest) || by <= TOLERATED) return [];
    const text = `${pod.namespace}/${pod.name} started ${formatAge(by)} before it was created`;
    return [{ ahead: false, by, evidence: { text, at: earliest, object: podRef(pod) } }];
  });
}
