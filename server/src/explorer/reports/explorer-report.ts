// Explorer layer, reports: every report by its name.
import type { ExplorerReportName, ExplorerReportResult, RowTarget } from "../../../../shared/src/explorer.ts";
import type { OnNode } from "../../cluster/on-node.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { beforeChangeReport } from "./before-change.ts";
import { compareReport } from "./compare.ts";
import { flapsReport } from "./flaps.ts";
import { onNodeChecklist } from "./on-node-checklist.ts";
import { recoveryReport } from "./recovery.ts";
import { nodesOf, triageReport } from "./triage-report.ts";

const TITLES: Readonly<Record<ExplorerReportName, string>> = {
  triage: "Triage",
  onNode: "On the node",
  recovery: "Recovery",
  beforeChange: "Before a change",
  compare: "Changes",
};

/**
 * The report about a target of the first cluster; without one about all of them, where the report can be. `onNode` gives
 * what a node's kubelet told, or why it was not asked.
 */
export function explorerReport(
  report: ExplorerReportName,
  clusters: readonly JudgedCluster[],
  target: RowTarget | null,
  onNode: (node: string) => OnNode,
): ExplorerReportResult {
  const [cluster] = clusters;
  if (cluster === undefined) return { kind: "none", reason: "No cluster is in use." };
  const about = target === null ? clusters.map(({ model }) => model.name).join(", ") : target.name;
  const title = `${TITLES[report]}: ${about}`;
  const made = (markdown: string): ExplorerReportResult => ({ kind: "report", report: { title, markdown } });
  if (report === "triage") {
    return made((target === null ? clusters : [cluster]).map((each) => triageReport(each, target, onNode)).join("\n"));
  }
  if (report === "compare") {
    if (cluster.baseline === null) return { kind: "none", reason: "No snapshot was chosen to compare with." };
    const platform = cluster.facts.platform.map(({ key }) => key);
    const only = target === null ? null : nodesOf(cluster, target);
    return made(`${compareReport(cluster.baseline, cluster.model, platform, only)}${flapsReport(cluster, only)}`);
  }
  const [node] = target === null ? [] : nodesOf(cluster, target);
  if (node === undefined || !cluster.facts.nodes.has(node)) {
    return {
      kind: "none",
      reason: target === null ? "Choose a node." : `${target.name} is on no node of the cluster.`,
    };
  }
  switch (report) {
    case "onNode":
      return made(onNodeChecklist(cluster, node));
    case "recovery":
      return made(recoveryReport(cluster, node));
    case "beforeChange":
      return made(beforeChangeReport(cluster, node));
  }
}
