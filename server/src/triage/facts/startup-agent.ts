// Triage layer, facts: the agent after which an agent-not-ready taint is named.
import { clearsTaint } from "../../coverage/transient-taints.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { NodeFacts } from "./node.ts";
import { ailmentOf } from "./pod-health.ts";

/** `none`: the cluster has no such DaemonSet; `unknown`: DaemonSets or pods were not read. */
export interface StartupAgent {
  readonly state: "ready" | "not-ready" | "none" | "unknown";
  /** `namespace/name`; empty when there is none. */
  readonly daemonSet: string;
}

/** The agent that takes the taint off this node, and whether it is ready there. */
export function agentOf(facts: ClusterFacts, node: NodeFacts, taintKey: string): StartupAgent {
  if (!taintKey.endsWith("/agent-not-ready")) return { state: "unknown", daemonSet: "" };
  const { parts } = facts.cluster;
  if (parts.daemonsets !== "known" || parts.pods !== "known") return { state: "unknown", daemonSet: "" };
  const taint = { key: taintKey, value: "", effect: "NoExecute" } as const;
  const agents = facts.daemonSets.filter((daemonSet) =>
    clearsTaint("application", taint, [
      daemonSet.name,
      ...daemonSet.workload.template.containers.map((container) => container.image),
    ]),
  );
  const [first] = agents;
  if (first === undefined) return { state: "none", daemonSet: "" };
  const working = agents.find((agent) =>
    agent.podsOn(node.name).living.some((pod) => pod.phase === "Running" && ailmentOf(facts, pod, true) === null),
  );
  return { state: working === undefined ? "not-ready" : "ready", daemonSet: (working ?? first).key };
}
