// Triage rule node-not-initialized: an owner that prepares nodes has not finished.

import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { findHelpers } from "../facts/helpers.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podRef } from "../facts/pod-state.ts";
import { agentOf } from "../facts/startup-agent.ts";
import { natureOf, type Preparer, preparerOf } from "../facts/taint-nature.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * One symptom per owner whose taint is still on the node, and one for Karpenter where its node carries no
 * `karpenter.sh/initialized`. Error (Karpenter's label: warning, for pods still come) once the owner had its time;
 * information before, and where the age is unknown. A startup taint whose agent is ready, or is not in the cluster, is
 * left behind instead.
 */
export function nodeNotInitialized(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const found = new Map<string, Symptom>();
  for (const taint of node.node.taints) {
    if (!isHardEffect(taint.effect)) continue;
    const preparer = preparerOf(taint.key);
    if (preparer === null || found.has(preparer.name)) continue;
    if (taint.key.endsWith("/agent-not-ready") && agentOf(facts, node, taint.key).state !== "not-ready") continue;
    found.set(preparer.name, byTaint(facts, node, taint, preparer));
  }
  const karpenter = karpenterUnfinished(facts, node);
  if (karpenter !== null && !found.has("Karpenter")) found.set("Karpenter", karpenter);
  return [...found.values()];
}

/** When the node is known to have been there at the latest. */
function bornAt(node: NodeFacts): number | null {
  return node.node.createdAt ?? node.readyCondition?.lastTransitionTime ?? null;
}

function byTaint(facts: ClusterFacts, node: NodeFacts, taint: Taint, preparer: Preparer): Symptom {
  const since = taint.timeAdded ?? bornAt(node);
  const late = isOlder(since, facts.now, facts.options.initializationMs);
  const text = formatTaint(taint);
  const { broken } = preparer.podWords.length === 0 ? { broken: null } : findHelpers(facts, preparer.podWords, null);
  return symptom({
    code: "node-not-initialized",
    node: node.name,
    severity: late ? "error" : "information",
    message: `${node.name} waits${forSince(since, facts.now)} for ${preparer.name}: the taint ${text} is still there.`,
    consequence:
      "Pods that do not tolerate it are kept away. It is not meant to be tolerated, and not to be removed by hand.",
    summary: `${preparer.name} has not finished with it`,
    advice: preparer.advice,
    since,
    evidence: [
      { text: `Taint ${text}`, at: taint.timeAdded, object: { kind: "Node", namespace: null, name: node.name } },
      ...(broken === null
        ? []
        : [{ text: `${broken.pod.name}: ${quote(broken.words)}`, at: null, object: podRef(broken.pod) }]),
    ],
    outside:
      broken === null
        ? null
        : {
            object: podRef(broken.pod),
            summary: `${preparer.name} does not run: ${quote(broken.words, 100)}`,
            advice: `kubectl -n ${broken.pod.namespace} logs ${broken.pod.name} --previous`,
          },
    about: { taintKeys: [taint.key], daemonSet: agentOf(facts, node, taint.key).daemonSet },
  });
}

function karpenterUnfinished(facts: ClusterFacts, node: NodeFacts): Symptom | null {
  const { labels, deletedAt } = node.node;
  const pool = poolOf(node);
  if (pool === undefined || labels["karpenter.sh/initialized"] === "true" || deletedAt !== null) return null;
  const since = bornAt(node);
  const late = isOlder(since, facts.now, facts.options.initializationMs);
  const startup = startupTaints(facts, node, pool);
  return symptom({
    code: "node-not-initialized",
    node: node.name,
    severity: late ? (startup.length > 0 ? "error" : "warning") : "information",
    message: `Karpenter has not initialized ${node.name}${forSince(since, facts.now)}: it waits until the node is Ready, its startup taints are gone and every requested resource is offered.`,
    consequence: "Until then Karpenter neither consolidates this node nor starts another for the same pods.",
    summary: "Karpenter has not initialized it",
    advice: "Look at the Initialized condition of the node's claim: kubectl describe nodeclaims.",
    since,
    evidence: [
      {
        text: `Label karpenter.sh/nodepool=${pool}, no label karpenter.sh/initialized`,
        at: since,
        object: { kind: "Node", namespace: null, name: node.name },
      },
      ...startup.map((taint) => ({
        text: `Startup taint ${formatTaint(taint)}`,
        at: taint.timeAdded,
        object: { kind: "Node", namespace: null, name: node.name },
      })),
    ],
    about: { condition: "karpenter.sh/initialized", taintKeys: startup.map((taint) => taint.key) },
  });
}

/** Hard taints that no initialized node of the pool carries: whoever prepares the node has yet to take them off. */
function startupTaints(facts: ClusterFacts, node: NodeFacts, pool: string): readonly Taint[] {
  const finished = [...facts.nodes.values()].filter(
    (other) => poolOf(other) === pool && other.node.labels["karpenter.sh/initialized"] === "true",
  );
  if (finished.length === 0) return [];
  const kept = new Set(finished.flatMap((other) => other.node.taints.map(formatTaint)));
  return node.node.taints.filter(
    (taint) => isHardEffect(taint.effect) && natureOf(taint) === "dedicated" && !kept.has(formatTaint(taint)),
  );
}

function poolOf(node: NodeFacts): string | undefined {
  return node.node.labels["karpenter.sh/nodepool"] ?? node.node.labels["karpenter.sh/provisioner-name"];
}
