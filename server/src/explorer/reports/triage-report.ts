// Explorer layer, reports: "Run triage": the chain of causes, then the five steps, for reading beside the editor.
import type { RowTarget } from "../../../../shared/src/explorer.ts";
import type { OnNode } from "../../cluster/on-node.ts";
import { triageMarkdown } from "../../report/triage-markdown.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { investigate } from "./investigation.ts";
import { stepsMarkdown } from "./steps-markdown.ts";

/**
 * The report about a target; null: the whole cluster, without the steps of single nodes. `onNode` gives what a node's
 * kubelet told, or why it was not asked.
 */
export function triageReport(
  cluster: JudgedCluster,
  target: RowTarget | null,
  onNode: (node: string) => OnNode,
): string {
  const names = target === null ? null : nodesOf(cluster, target);
  const report =
    names === null
      ? cluster.report
      : {
          ...cluster.report,
          nodes: cluster.report.nodes.filter((node) => names.includes(node.name)),
          pods: cluster.report.pods.filter(
            (pod) => target?.kind === "Pod" && pod.namespace === target.namespace && pod.name === target.name,
          ),
          clusterCauses: cluster.report.clusterCauses.filter((cause) =>
            cause.nodes.some((node) => names.includes(node)),
          ),
        };
  const investigated = target === null ? [] : nodesToInvestigate(cluster, target);
  const steps = investigated.flatMap((name) => {
    const found = investigate(cluster, name, onNode(name));
    return found === null ? [] : [stepsMarkdown(cluster, name, found)];
  });
  const left = (names ?? []).length - investigated.length;
  const rest = left > 0 ? [`Run triage on a node itself for its steps: ${left} more are left out here.\n`] : [];
  return [triageMarkdown(cluster.model, report), ...steps, ...rest].join("\n");
}

/** A workload can lie on many nodes; the steps of more than these are not read by anybody. */
const STEPS_FOR = 3;

/** The nodes whose steps a report about the target shows. */
export function nodesToInvestigate(cluster: JudgedCluster, target: RowTarget): readonly string[] {
  return nodesOf(cluster, target).slice(0, STEPS_FOR);
}

/** The nodes that a report about the target is about. */
export function nodesOf(cluster: JudgedCluster, target: RowTarget): readonly string[] {
  if (target.kind === "Node") return [target.name];
  if (target.kind === "Pod") {
    const home = cluster.facts.pods.get(`${target.namespace ?? ""}/${target.name}`)?.spec.nodeName ?? "";
    const node = home === "" ? target.node : home;
    // A waiting pod has no node; those that it waits for say so.
    return node === null ? sickFor(cluster, target) : [node];
  }
  const workload = cluster.model.workloads.find(
    ({ kind, namespace, name }) => kind === target.kind && namespace === target.namespace && name === target.name,
  );
  if (workload === undefined) return target.node === null ? [] : [target.node];
  const covered = cluster.coverage().coverage(workload);
  const blocked = covered.gaps.flatMap((gap) => gap.nodes);
  const all = [...new Set([...sickFor(cluster, target), ...blocked])];
  return all.length > 0 || target.node === null ? all : [target.node];
}

/** The nodes that have a finding about the object. */
function sickFor({ report }: JudgedCluster, { kind, namespace, name }: RowTarget): readonly string[] {
  return report.nodes
    .filter(({ findings }) =>
      findings.some(({ items }) =>
        items.some(({ object }) => object?.kind === kind && object.name === name && object.namespace === namespace),
      ),
    )
    .map((node) => node.name);
}
