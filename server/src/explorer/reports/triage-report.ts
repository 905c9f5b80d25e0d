// Explorer layer, reports: "Run triage": the chain of causes, then the five steps, for reading beside the editor.
import type { RowTarget } from "../../../../shared/src/explorer.ts";
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { triageMarkdown } from "../../report/triage-markdown.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { type InvestigationStep, investigate, type StepState } from "./investigation.ts";
import { debugNode } from "./kubectl.ts";

/** The report about a target; null: the whole cluster, without the steps of single nodes. */
export function triageReport(cluster: JudgedCluster, target: RowTarget | null): string {
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
  const steps = (names ?? []).slice(0, STEPS_FOR).flatMap((name) => {
    const found = investigate(cluster, name);
    return found === null ? [] : [stepsMarkdown(cluster, name, found)];
  });
  return [triageMarkdown(cluster.model, report), ...steps].join("\n");
}

/** A workload can lie on many nodes; the steps of more than these are not read by anybody. */
const STEPS_FOR = 3;

/** The nodes that a report about the target is about. */
export function nodesOf(cluster: JudgedCluster, target: RowTarget): readonly string[] {
  if (target.kind === "Node") return [target.name];
  if (target.kind === "Pod") {
    const home = cluster.facts.pods.get(`${target.namespace ?? ""}/${target.name}`)?.spec.nodeName ?? "";
    const node = home === "" ? target.node : home;
    return node === null ? [] : [node];
  }
  const workload = cluster.model.workloads.find(
    ({ kind, namespace, name }) => kind === target.kind && namespace === target.namespace && name === target.name,
  );
  if (workload === undefined) return target.node === null ? [] : [target.node];
  const covered = cluster.coverage().coverage(workload);
  const blocked = covered.gaps.flatMap((gap) => gap.nodes);
  const sick = cluster.report.nodes
    .filter(({ findings }) =>
      findings.some(({ items }) =>
        items.some(
          ({ object }) =>
            object?.kind === target.kind && object.name === target.name && object.namespace === target.namespace,
        ),
      ),
    )
    .map(({ name }) => name);
  const all = [...new Set([...sick, ...blocked])];
  return all.length > 0 || target.node === null ? all : [target.node];
}

const MARKS: Readonly<Record<StepState, string>> = {
  ok: "✓ ok",
  found: "✗ found",
  "not allowed": "? not allowed",
  "not in what was read": "? not in what was read",
};

function stepsMarkdown(cluster: JudgedCluster, node: string, steps: readonly InvestigationStep[]): string {
  const lines = steps.flatMap((step, index) => [
    `${index + 1}. **${step.title}: ${MARKS[step.state]}**`,
    ...step.seen.map((sentence) => `   - ${escapeMarkdown(sentence)}`),
    "",
    "   By hand:",
    "",
    "   ```sh",
    `   ${step.command}`,
    "   ```",
  ]);
  return [
    `### The investigation of ${code(node)}, step by step`,
    "",
    ...(cluster.access === null
      ? ["The cluster was read from a file, so the commands name no context: they go to kubectl's current one.", ""]
      : []),
    ...lines,
    "",
    "What only the node itself knows (disk, memory, kernel, runtime and kubelet logs) is not in the API. The way in:",
    "",
    "```sh",
    debugNode(cluster.access, node),
    "```",
    "",
  ].join("\n");
}
