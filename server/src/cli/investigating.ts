// Command-line layer: `triage --steps` and `--node-proxy`: the investigation of single nodes, step by step.
import type { ClusterModel } from "../cluster/model.ts";
import type { OnNode, OnNodeReading } from "../cluster/on-node.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { type JudgedCluster, judgeNow } from "../explorer/judged-cluster.ts";
import { investigate } from "../explorer/reports/investigation.ts";
import { questionsFor } from "../explorer/reports/on-node-steps.ts";
import type { InvestigationStep } from "../explorer/reports/step.ts";
import type { Arguments } from "./arguments.ts";
import type { Host } from "./host.ts";
import type { Format } from "./settings.ts";
import { askNodes } from "./source/live-clusters.ts";
import { Unusable } from "./unusable.ts";

/** A node with what was found about it. */
export interface Investigated {
  readonly cluster: JudgedCluster;
  readonly node: string;
  readonly steps: readonly InvestigationStep[];
}

/** The most nodes that one call asks: each may take as long as its kubelet lets it. */
const MOST_NODES = 20;

/**
 * Whether single nodes are to be investigated. Throws Unusable where that cannot be, before a cluster is read.
 */
export function wantsSteps(args: Arguments, format: Format): boolean {
  const asks = args.has("node-proxy");
  if (!asks && !args.has("steps")) return false;
  const option = asks ? "--node-proxy" : "--steps";
  if (args.operands.length + args.all("node").length === 0 && args.one("selector") === null) {
    throw new Unusable(`${option} is about single nodes: name them, or choose them by --selector.`);
  }
  if (format === "github" || format === "sarif") {
    throw new Unusable(`${option} has no --format ${format}; it has text, json, markdown.`);
  }
  if (asks && args.all("context").length === 0) {
    throw new Unusable("--node-proxy asks kubelets, so it needs a live cluster: --context NAME.");
  }
  return true;
}

/** Investigates the nodes of each cluster; their kubelets are asked only with --node-proxy. */
export async function investigateNodes(
  args: Arguments,
  host: Host,
  config: WorkspaceConfig,
  clusters: readonly ClusterModel[],
  nodes: readonly string[],
): Promise<readonly Investigated[]> {
  const asks = args.has("node-proxy");
  if (nodes.length > MOST_NODES) {
    throw new Unusable(`${nodes.length} nodes are too many to investigate at once; at most ${MOST_NODES}.`);
  }
  const investigated: Investigated[] = [];
  for (const model of clusters) {
    const live = model.origin === "live" ? { context: model.name, kubeconfig: null } : null;
    const cluster = judgeNow({ key: model.name, model, config, access: live, baseline: null, history: null });
    const here = nodes.filter((node) => model.nodes.has(node));
    const questions = here.flatMap((node) => questionsFor(cluster, node) ?? []);
    const readings = asks && live !== null ? await askNodes(live.context, questions, args, host) : null;
    for (const node of here) {
      const steps = investigate(cluster, node, onNodeOf(node, live !== null, readings));
      if (steps !== null) investigated.push({ cluster, node, steps });
    }
  }
  return investigated;
}

function onNodeOf(node: string, live: boolean, readings: ReadonlyMap<string, OnNodeReading> | null): OnNode {
  const reading = readings?.get(node);
  return reading === undefined ? { kind: "not asked", why: live ? "off" : "file" } : { kind: "read", reading };
}
