// Triage layer, chain: nodes that fell silent together, so that none of them is the cause.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import type { ClusterCause } from "../finding.ts";
import { listNames } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/** The node controller looks every few seconds, and leases run out within less than a minute of each other. */
const SAME_MOMENT = 60_000;

const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
const ZONES: readonly string[] = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];

/**
 * Groups of at least two nodes that turned Unknown within a minute and leave nobody of their kind: all nodes, all but
 * the control plane (whose kubelets need no load balancer), or all of one zone. Source of the signs: the node lifecycle
 * controller stops evictions when every zone is fully disrupted.
 */
export function silentTogether(facts: ClusterFacts): readonly ClusterCause[] {
  // A virtual node's posts come from a pod somewhere, by another way.
  const nodes = [...facts.nodes.values()].filter((node) => node.host.virtual === null);
  const workers = nodes.filter((node) => !(CONTROL_PLANE in node.node.labels));
  for (const group of [nodes, workers]) {
    const found = fellSilent(group);
    if (found !== null)
      return [
        cause(
          facts,
          found,
          "the way from the kubelets to the API server (its endpoint, load balancer, or the control plane itself)",
        ),
      ];
  }
  const zones = new Map<string, NodeFacts[]>();
  for (const node of workers) {
    const zone = ZONES.map((key) => node.node.labels[key]).find((value) => value !== undefined);
    if (zone !== undefined) zones.set(zone, [...(zones.get(zone) ?? []), node]);
  }
  return [...zones].flatMap(([zone, group]) => {
    const found = fellSilent(group);
    return found === null ? [] : [cause(facts, found, `zone ${zone}, or the way to it`)];
  });
}

/** So many at once share something, even while others of their kind still report. */
const MANY = 3;

/**
 * Nodes that fell silent within a minute while others report: told above them, for they may share a rack, a switch or
 * a host. Each stays its own root: what they share the API does not show. `told` are the groups that are told already.
 */
export function silentInPart(facts: ClusterFacts, told: readonly ClusterCause[]): readonly ClusterCause[] {
  const known = new Set(told.flatMap((group) => group.nodes));
  const silent = [...facts.nodes.values()]
    .filter((node) => node.ready === "Unknown" && !known.has(node.name))
    .flatMap((node) => {
      const since = node.readyCondition?.lastTransitionTime ?? null;
      return since === null ? [] : [{ node, since }];
    })
    .sort((a, b) => a.since - b.since);
  const found: ClusterCause[] = [];
  for (let start = 0; start < silent.length; ) {
    const first = silent[start];
    const group = silent
      .slice(start)
      .filter((entry) => first !== undefined && entry.since - first.since <= SAME_MOMENT);
    if (group.length >= MANY) {
      found.push(
        cause(
          facts,
          group.map((entry) => entry.node),
          "what they share: a rack, a switch, a host, a network",
          "Compare where these machines stand and how they are connected before you look into one of them.",
        ),
      );
    }
    start += Math.max(1, group.length);
  }
  return found;
}

function fellSilent(group: readonly NodeFacts[]): readonly NodeFacts[] | null {
  if (group.length < 2 || group.some((node) => node.ready !== "Unknown")) return null;
  const times = group.map((node) => node.readyCondition?.lastTransitionTime ?? null);
  const known = times.filter((time) => time !== null);
  if (known.length < group.length || Math.max(...known) - Math.min(...known) > SAME_MOMENT) return null;
  return group;
}

const WAY_ADVICE =
  "Look at the API server's endpoint and load balancer from a node's network. The workloads most likely still run: do not drain or replace the nodes.";

function cause(
  facts: ClusterFacts,
  group: readonly NodeFacts[],
  where: string,
  advice: string = WAY_ADVICE,
): ClusterCause {
  const names = group.map((node) => node.name);
  const since = forSince(group[0]?.readyCondition?.lastTransitionTime ?? null, facts.now);
  return {
    summary: `${listNames(names)} fell silent in the same moment${since}: look at ${where}, not at each node`,
    nodes: names,
    advice,
  };
}
