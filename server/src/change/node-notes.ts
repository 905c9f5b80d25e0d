// Change layer: what a change of nodes would do, as a report that is read before anybody confirms: the preflight, what
// the dry run said, and what else to know of these nodes.
import type { ClusterModel } from "../cluster/model.ts";
import type { TaintChange } from "../cluster/taint-change.ts";
import { updateModel } from "../cluster/update.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import type { ClusterNode } from "../kube/node.ts";
import { formatTaint } from "../kube/taint.ts";
import { code, escapeMarkdown } from "../report/markdown.ts";
import { type PreflightReport, reportPreflight } from "../report/preflight-report.ts";
import { preflightMarkdown } from "../report/preflight-text.ts";
import { count, listSome } from "../report/text-layout.ts";
import { homeOf, isLiving } from "../triage/facts/pod-state.ts";
import { actionWords, CORDON_TAINT, type NodeAction } from "./node-action.ts";

/** One node after its dry run. */
export interface DryRunOfNode {
  readonly name: string;
  /** What the patch replaces, in words; empty. */
  readonly note: string;
  /** What admission changed beyond the patch, and what the server warned of. */
  readonly admission: readonly string[];
}

export interface NodeChangeReport {
  readonly title: string;
  readonly markdown: string;
  /** For the confirmation: what it touches; sentences. */
  readonly touches: readonly string[];
}

/** Names that a sentence lists. */
const LISTED = 5;

/**
 * @param context the context's name
 * @param changed the nodes that would change, after their dry run
 * @param unchanged those that already are so
 */
export function nodeChangeReport(
  cluster: ClusterModel,
  config: WorkspaceConfig,
  context: string,
  action: NodeAction,
  changed: readonly DryRunOfNode[],
  unchanged: readonly string[],
): NodeChangeReport {
  const names = changed.map(({ name }) => name);
  const question = `${actionWords(action)} ${listSome(names, LISTED)}`;
  const preflight = preflightOf(cluster, config, action, names);
  const warnings = warningsOf(cluster, action, names);
  const said = changed.flatMap(({ name, note, admission }) => [
    ...(note === "" ? [] : [`${name}: ${note}`]),
    ...admission.map((line) => `${name}: the server adds ${line}`),
  ]);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines.map((line) => `- ${escapeMarkdown(line)}`)];
  const markdown = [
    `# ${escapeMarkdown(question)}`,
    "",
    `In the context ${code(context)}. Nothing is changed yet: the server took the patch as a dry run.`,
    ...(unchanged.length === 0 ? [] : ["", `Already so: ${escapeMarkdown(listSome(unchanged, LISTED))}.`]),
    ...list("Mind", warnings),
    ...list("What the dry run says", said),
    "",
    preflightMarkdown(preflight),
  ];
  return {
    title: `${question} (preflight)`,
    markdown: markdown.join("\n"),
    touches: [touched(cluster, action, names, preflight), ...warnings],
  };
}

/** A cordon is held against the taint that follows from it. */
function preflightOf(
  cluster: ClusterModel,
  config: WorkspaceConfig,
  action: NodeAction,
  nodes: readonly string[],
): PreflightReport {
  if (action.kind === "taint") {
    const { taint, removes } = action;
    return reportPreflight(cluster, { taint, remove: removes, nodes }, config);
  }
  const change: TaintChange = { taint: CORDON_TAINT, remove: action.kind === "uncordon" };
  return reportPreflight(withoutFlag(cluster, nodes), { ...change, nodes }, config);
}

/** The nodes with the taint alone instead of `unschedulable`, which would count as the taint for ever. */
function withoutFlag(cluster: ClusterModel, names: readonly string[]): ClusterModel {
  const nodes = names.flatMap((name): readonly ClusterNode[] => {
    const node = cluster.nodes.get(name);
    if (node === undefined || !node.unschedulable) return [];
    const others = node.taints.filter(({ key }) => key !== CORDON_TAINT.key);
    return [{ ...node, unschedulable: false, taints: [...others, { ...CORDON_TAINT, timeAdded: null }] }];
  });
  return nodes.length === 0 ? cluster : updateModel(cluster, { set: { nodes } });
}

function touched(
  cluster: ClusterModel,
  action: NodeAction,
  names: readonly string[],
  { answer }: PreflightReport,
): string {
  const nodes = count(names.length, "node");
  const pods = cluster.pods.filter((pod) => isLiving(pod) && names.includes(homeOf(pod))).length;
  const there =
    cluster.parts.pods === "known" ? `${count(pods, "pod")} run there` : "how many pods run there is not known";
  if (action.kind !== "taint") {
    return action.kind === "cordon"
      ? `${nodes}; ${there} and stay; new ones are kept away.`
      : `${nodes}; ${there}; new ones may come.`;
  }
  if (action.removes) return `${nodes}; ${there} and stay; what the taint kept away may come.`;
  if (action.taint.effect !== "NoExecute")
    return `${nodes}; ${there} and stay; none that does not tolerate it comes back.`;
  const { evictions } = answer;
  if (evictions.length === 0) return `${nodes}; ${there}; none of them would be evicted.`;
  const now = evictions.filter(({ afterSeconds }) => afterSeconds === 0).length;
  const later = evictions.length - now;
  const when = [now === 0 ? "" : `${now} at once`, later === 0 ? "" : `${later} later`].filter((part) => part !== "");
  return `${nodes}; of ${count(pods, "pod")} there ${evictions.length} ${evictions.length === 1 ? "is" : "are"} evicted (${when.join(", ")}).`;
}

function warningsOf(cluster: ClusterModel, action: NodeAction, names: readonly string[]): readonly string[] {
  const nodes = names.flatMap((name) => cluster.nodes.get(name) ?? []);
  const takesAway = action.kind === "cordon" || (action.kind === "taint" && !action.removes);
  const everybody = takesAway && names.length > 1 && names.length === cluster.nodes.size;
  return [
    ...(everybody ? ["These are all nodes of the cluster."] : []),
    ...(action.kind === "uncordon" ? leaving(nodes) : []),
    ...(action.kind === "taint" && cluster.autoscaler.signs.length > 0
      ? [
          `Nodes that come and go by themselves (${listSome(cluster.autoscaler.signs, 2)}): a new node has the taints that its pool says, not this change.`,
        ]
      : []),
  ];
}

/** Taints of those who are about to remove a node, or to bring it up. */
const LEAVING: ReadonlySet<string> = new Set([
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
  "karpenter.sh/disrupted",
  "node.cloudprovider.kubernetes.io/shutdown",
  "node.kubernetes.io/out-of-service",
]);

/** Why a node should perhaps stay cordoned. */
function leaving(nodes: readonly ClusterNode[]): readonly string[] {
  return nodes.flatMap(({ name, taints, conditions, annotations }) => {
    const taint = taints.find(({ key }) => LEAVING.has(key));
    const ready = conditions.find(({ type }) => type === "Ready");
    const reboot = annotations["weave.works/kured-reboot-in-progress"];
    return [
      ...(taint === undefined ? [] : [`${name} has ${formatTaint(taint)}: somebody is taking it away.`]),
      ...(ready !== undefined && ready.status !== "True" ? [`${name} is not Ready (${ready.reason}).`] : []),
      ...(reboot === undefined ? [] : [`${name} is about to be rebooted by kured, which uncordons it itself.`]),
    ];
  });
}
