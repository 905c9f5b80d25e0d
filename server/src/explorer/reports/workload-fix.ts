// Explorer layer, reports: what a live workload lacks, and the patch that adds it.
import type { RowTarget, WorkloadFixResult } from "../../../../shared/src/explorer.ts";
import { shellLine } from "../../../../shared/src/shell.ts";
import { tolerationPatch } from "../../coverage/toleration-patch.ts";
import { ownerOf } from "../../features/fixes/owner.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { Workload } from "../../kube/workload.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import { canHost } from "../../triage/facts/need.ts";
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
  if (taints.length === 0) {
    return { patch: null, owner, advice: `${where} tolerates every lasting taint of the nodes it is meant for.` };
  }
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
    advice: `${where} does not tolerate ${list}.`,
  };
}

/** The lasting, unwanted taints that keep a DaemonSet from nodes it is meant for, each once; empty for other kinds. */
function missingTolerations(cluster: JudgedCluster, workload: Workload): readonly Taint[] {
  const daemonSet = cluster.facts.daemonSets.find((one) => one.workload === workload);
  if (daemonSet === undefined) return [];
  const taints = new Map<string, Taint>();
  for (const node of cluster.facts.nodes.values()) {
    if (!canHost(node, daemonSet) || !daemonSet.admits(node.node)) continue;
    for (const taint of gapOf(cluster.facts, node.node, daemonSet).unwanted) taints.set(formatTaint(taint), taint);
  }
  return [...taints.values()];
}
