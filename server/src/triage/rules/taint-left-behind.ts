// Triage rule taint-left-behind: a taint whose reason is over.
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { brokenControllerManager } from "../facts/helpers.ts";
import type { NodeFacts } from "../facts/node.ts";
import { agentOf } from "../facts/startup-agent.ts";
import { conditionOfTaint } from "../facts/taint-nature.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { forSince } from "../wording/time.ts";

const HOUR = 3_600_000;

/** Why the taint should have gone, and what to do. */
interface Leftover {
  readonly why: string;
  readonly since: number | null;
  readonly advice: string;
}

/**
 * One warning per hard taint that the node's state contradicts. Where the age is unknown only a contradiction counts:
 * a taint put on by hand has no timeAdded, and unknown is never old.
 */
export function taintLeftBehind(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const found = new Map<string, Symptom>();
  for (const taint of node.node.taints) {
    if (!isHardEffect(taint.effect) || found.has(taint.key)) continue;
    const leftover = leftoverOf(facts, node, taint);
    if (leftover === null) continue;
    const text = formatTaint(taint);
    found.set(
      taint.key,
      symptom({
        code: "taint-left-behind",
        node: node.name,
        severity: "warning",
        message: `${node.name} still carries ${text}${forSince(leftover.since, facts.now)}, but ${leftover.why}.`,
        consequence: "Pods that do not tolerate it stay away for no reason.",
        summary: `${text} is left behind`,
        advice: leftover.advice,
        since: leftover.since,
        evidence: [
          { text: `Taint ${text}`, at: taint.timeAdded, object: { kind: "Node", namespace: null, name: node.name } },
        ],
        outside: conditionOfTaint(taint.key) === null ? null : brokenControllerManager(facts),
        about: { taintKeys: [taint.key] },
      }),
    );
  }
  return [...found.values()];
}

function leftoverOf(facts: ClusterFacts, node: NodeFacts, taint: Taint): Leftover | null {
  const { now, options } = facts;
  const { key } = taint;
  const remove = `kubectl taint node ${node.name} ${key}:${taint.effect}-`;
  const readySince = node.ready === "True" ? (node.readyCondition?.lastTransitionTime ?? null) : null;
  if (key.endsWith("/agent-not-ready")) {
    const since = taint.timeAdded ?? node.node.createdAt;
    if (!isOlder(since, now, options.initializationMs)) return null;
    const agent = agentOf(facts, node, key);
    if (agent.state === "ready") {
      return {
        why: `the agent ${agent.daemonSet} is ready on the node`,
        since,
        advice: `Restart the agent's pod on the node, or: ${remove}`,
      };
    }
    if (agent.state === "none") return { why: "the cluster has no such agent any more", since, advice: remove };
    return null;
  }
  if (key === "node.kubernetes.io/out-of-service" && isOlder(readySince, now, HOUR)) {
    return { why: "the node has been Ready since long", since: readySince, advice: remove };
  }
  if (key === "node.cloudprovider.kubernetes.io/shutdown" && isOlder(readySince, now, options.graceMs)) {
    return { why: "the node runs", since: readySince, advice: remove };
  }
  if (key === "ToBeDeletedByClusterAutoscaler" || key === "karpenter.sh/disrupted") {
    const stamped = /^\d{9,11}$/.test(taint.value) ? Number(taint.value) * 1000 : null;
    const since = taint.timeAdded ?? stamped;
    if (node.node.deletedAt !== null || !isOlder(since, now, HOUR)) return null;
    const who = key.startsWith("karpenter") ? "Karpenter" : "the autoscaler";
    return {
      why: `${who} has not removed the node`,
      since,
      advice: `Read ${who}'s log for what holds the drain up; if it has given up: ${remove}`,
    };
  }
  return leftCopy(facts, node, taint, remove);
}

/** A copy of a condition, or of a cordon, that no longer holds. */
function leftCopy(facts: ClusterFacts, node: NodeFacts, taint: Taint, remove: string): Leftover | null {
  const { now, options } = facts;
  if (taint.key === "node.kubernetes.io/unschedulable") {
    if (node.node.unschedulable || !isOlder(taint.timeAdded, now, options.graceMs)) return null;
    return { why: "the node is not cordoned", since: taint.timeAdded, advice: remove };
  }
  const type = conditionOfTaint(taint.key);
  const condition = node.node.conditions.find((entry) => entry.type === type);
  if (type === null || condition === undefined) return null;
  const good = type === "Ready" ? "True" : "False";
  const since = condition.lastTransitionTime;
  if (condition.status !== good || !isOlder(since, now, options.graceMs)) return null;
  return {
    why: `${type} is ${condition.status}${forSince(since, now)}`,
    since: taint.timeAdded ?? since,
    advice: `The node lifecycle controller takes it off by itself: see whether kube-controller-manager runs. Else: ${remove}`,
  };
}
