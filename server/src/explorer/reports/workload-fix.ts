// Explorer layer, reports: what a live workload lacks, and the patch that adds it.
import type { RowTarget, WorkloadFixResult } from "../../../../shared/src/explorer.ts";
import { shellLine } from "../../../../shared/src/shell.ts";
import { tolerationPatch } from "../../coverage/toleration-patch.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { ownerOf } from "../../features/fixes/owner.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { formatRef, type Workload, workloadRef } from "../../kube/workload.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import { canHost } from "../../triage/facts/need.ts";
import { natureOf } from "../../triage/facts/taint-nature.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { kubectlWords } from "./kubectl.ts";

/** The workload that a target means: itself, or the one that made the pod; null when it is not in the cluster. */
export function workloadOf(cluster: JudgedCluster, target: RowTarget): Workload | null {
  const { workloads } = cluster.model;
  const named = (kind: string, namespace: string | null, name: string) =>
    workloads.find((one) => one.kind === kind && one.namespace === namespace && one.name === name) ?? null;
  if (target.kind !== "Pod") return named(target.kind, target.namespace, target.name);
  let owner = cluster.facts.pods.get(`${target.namespace ?? ""}/${target.name}`)?.controller ?? null;
  let found: Workload | null = null;
  // A ReplicaSet's own owner is the one whose manifest somebody wrote.
  while (owner !== null) {
    const next = named(owner.kind, target.namespace, owner.name);
    if (next === null || next === found) return found;
    found = next;
    owner = next.controller;
  }
  return found;
}

/** The answer but for files, which only the workspace knows. */
export function fixFor(cluster: JudgedCluster, workload: Workload): Omit<WorkloadFixResult, "files"> {
  const taints = missingTolerations(cluster, workload);
  const owner = ownerOf(workload) ?? "";
  const where = `${workload.kind} ${workload.namespace ?? ""}/${workload.name ?? ""}`;
  if (taints.length === 0) return { patch: null, owner, advice: adviceWithoutPatch(cluster, workload, where) };
  const list = taints.map(formatTaint).join(", ");
  if (owner !== "") {
    return {
      patch: null,
      owner,
      advice: `${where} does not tolerate ${list}. It belongs to ${owner}, which would revert an edit: add the toleration there.`,
    };
  }
  const made = tolerationPatch(workload, taints);
  if (made === null || workload.name === null) {
    return { patch: null, owner, advice: `${where} does not tolerate ${list}, and its list cannot be patched.` };
  }
  const json = JSON.stringify(made.patch);
  const namespace = workload.namespace === null ? [] : ["--namespace", workload.namespace];
  const asked = ["patch", workload.kind.toLowerCase(), workload.name, ...namespace, "--type=json", "--patch", json];
  const words = kubectlWords(cluster.access, ...asked);
  return {
    patch: { title: `${where}: tolerate ${list}`, words, command: shellLine(words, "posix"), json },
    owner,
    advice: `${where} does not tolerate ${list}.${cluster.access === null ? NO_CONTEXT : ""}`,
  };
}

const NO_CONTEXT =
  " The cluster was read from a file, so that the command names no context: it goes to kubectl's current one.";

/** What to say of a workload whose tolerations are not what is missing. */
function adviceWithoutPatch(cluster: JudgedCluster, workload: Workload, where: string): string {
  if (workload.kind === "DaemonSet") return `${where} tolerates every lasting taint of the nodes it is meant for.`;
  const troubles = cluster.troubles.filter(({ ref }) => formatRef(ref) === formatRef(workloadRef(workload)));
  const gap = troubles.find(({ kind }) => kind === "gap");
  if (gap !== undefined) {
    return `${where} fits on no node: ${gap.reason.replace(/\.$/, "")}. A toleration is not all that it lacks: below it in the view Workloads each node says why.`;
  }
  const eviction = troubles.find(({ kind }) => kind === "eviction");
  if (eviction !== undefined) {
    return `Pods of ${where} ${eviction.where} are ${eviction.reason}: let them move, or tolerate the taint for as long as they may stay.`;
  }
  return `No taint keeps ${where} from every node that it could run on.`;
}

/**
 * The lasting, unwanted taints that keep a DaemonSet from nodes it is meant for, each once; of another workload those
 * that all nodes which its selectors admit have in common, where they keep it from every one of them.
 */
export function missingTolerations(cluster: JudgedCluster, workload: Workload): readonly Taint[] {
  const daemonSet = cluster.facts.daemonSets.find((one) => one.workload === workload);
  if (daemonSet === undefined) return taintsOfEveryNode(cluster, workload);
  const taints = new Map<string, Taint>();
  for (const node of cluster.facts.nodes.values()) {
    if (!canHost(node, daemonSet) || !daemonSet.admits(node.node)) continue;
    for (const taint of gapOf(cluster.facts, node, daemonSet).unwanted) taints.set(formatTaint(taint), taint);
  }
  return [...taints.values()];
}

function taintsOfEveryNode(cluster: JudgedCluster, workload: Workload): readonly Taint[] {
  const { classes } = cluster.coverage().coverage(workload);
  const admitted = classes.filter(({ verdict, nodes }) => verdict !== "affinity" && nodes.length > 0);
  const [first] = admitted;
  if (first === undefined || admitted.some(({ verdict }) => verdict !== "taint")) return [];
  const blocking = admitted.map(({ placement }) =>
    placement.taints.filter(({ toleratedBy }) => toleratedBy === null).map(({ taint }) => taint),
  );
  const [taints = []] = blocking;
  const text = (list: readonly Taint[]) => list.map(formatTaint).sort().join(",");
  const same = blocking.every((list) => text(list) === text(taints));
  const lasting = taints.every((taint) => natureOf(taint) === "dedicated" && !isTransient(cluster, taint));
  return same && lasting ? taints : [];
}

function isTransient({ facts }: JudgedCluster, taint: Taint): boolean {
  return isTransientTaint(taint, facts.options.transientTaints);
}
