// Triage rule node-not-ready: Ready False, in the kubelet's words.
import { isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { lastStart, type NodeFacts } from "../facts/node.ts";
import { readComplaint } from "../read/not-ready.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * One symptom when Ready is False. Error; warning while the machine shuts down, for pods end in order then; information
 * while a new or rebooted node starts.
 */
export function nodeNotReady(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const condition = node.readyCondition;
  if (node.ready !== "False" || condition === null) return [];
  const { complaint, advice } = readComplaint(condition.message);
  const starting = isStarting(facts, node);
  const words = condition.message === "" ? condition.reason : condition.message;
  return [
    symptom({
      code: "node-not-ready",
      node: node.name,
      severity: node.shuttingDown ? "warning" : starting ? "information" : "error",
      message: `${node.name} is NotReady${forSince(condition.lastTransitionTime, facts.now)}: the kubelet says ${quote(words)}.`,
      consequence: node.shuttingDown
        ? "Its pods end in order and new ones are refused."
        : "No new pod comes here; after the pods' toleration (usually 5 minutes) the running ones are marked for deletion.",
      summary: node.shuttingDown ? "node is shutting down" : `not ready: ${quote(words, 100)}`,
      advice,
      since: condition.lastTransitionTime,
      evidence: [
        {
          text: `Condition Ready=False (${condition.reason}): ${quote(words)}`,
          at: condition.lastTransitionTime,
          object: { kind: "Node", namespace: null, name: node.name },
        },
      ],
      about: {
        condition: "Ready",
        taintKeys: ["node.kubernetes.io/not-ready"],
        texts: [condition.message],
        failure: { kind: kindOf(complaint), driver: "", volume: "", holders: [], text: condition.message },
      },
    }),
  ];
}

function isStarting(facts: ClusterFacts, node: NodeFacts): boolean {
  const { graceMs } = facts.options;
  if (isYoung(node.node.createdAt, facts.now, graceMs)) return true;
  return isYoung(lastStart(node.events), facts.now, graceMs);
}

function kindOf(complaint: ReturnType<typeof readComplaint>["complaint"]) {
  switch (complaint) {
    case "network":
    case "runtime":
    case "shutdown":
      return complaint;
    default:
      return "unknown";
  }
}
