// Explorer layer, node rows: a node's row and what opens under it: its roots first, then everything that is known of it.
import type { RowState } from "../../../../shared/src/explorer.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { formatTaint } from "../../kube/taint.ts";
import type { NodeTriage, Root } from "../../triage/finding.ts";
import { causeElement } from "../cause-element.ts";
import { type Element, element, gravest, stateOf } from "../element.ts";
import { absenceText, flapsOf } from "../flap-text.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { conditionSection } from "./conditions.ts";
import { csiSection } from "./csi-drivers.ts";
import { eventSection } from "./events.ts";
import { resourceSection } from "./extended-resources.ts";
import { platformSection } from "./platform-pods.ts";
import { troubleSection } from "./pods-in-trouble.ts";
import { type OpenedNode, sectionElement } from "./section.ts";
import { taintSection } from "./taints.ts";

/** A node's row: the root cause in words behind its name. */
export function nodeElement(
  parent: string,
  cluster: JudgedCluster,
  node: ClusterNode,
  triage: NodeTriage,
  state: RowState,
): Element {
  return element({
    parent,
    key: node.uid === "" ? node.name : node.uid,
    kind: "node",
    label: node.name,
    description: rootText(cluster, triage, state),
    tooltip: [
      ...triage.roots.map((root) => [root.summary, root.advice].filter((text) => text !== "").join(". ")),
      node.taints.length === 0 ? "" : `Taints: ${node.taints.map(formatTaint).join(", ")}`,
      node.unschedulable ? "Cordoned." : "",
    ],
    state,
    target: { cluster: cluster.key, kind: "Node", namespace: null, name: node.name, node: node.name },
    children: (id) => nodeChildren(id, cluster, node, triage),
  });
}

/** The first root, and how many more there are. */
function rootText(cluster: JudgedCluster, triage: NodeTriage, state: RowState): string {
  const [first, ...more] = triage.roots;
  const [flap] = flapsOf(cluster, triage.name);
  if (first === undefined && flap !== undefined) return `${flap.subject} ${absenceText(flap)}`;
  if (first === undefined) return state === "unknown" ? "pods or DaemonSets are unknown" : "";
  return more.length === 0 ? first.summary : `${first.summary} (and ${more.length} more)`;
}

function nodeChildren(id: string, cluster: JudgedCluster, node: ClusterNode, triage: NodeTriage): readonly Element[] {
  const facts = cluster.facts.nodes.get(node.name);
  if (facts === undefined) return [];
  const opened: OpenedNode = { cluster, facts, triage };
  const sections = [
    conditionSection(opened),
    taintSection(opened),
    platformSection(opened),
    resourceSection(opened),
    csiSection(opened),
    troubleSection(opened),
    eventSection(opened),
  ];
  return [...rootElements(id, opened), ...sections.flatMap((section) => sectionElement(id, section) ?? [])];
}

function rootElements(parent: string, { cluster, triage, facts }: OpenedNode): readonly Element[] {
  return triage.roots.map((root) =>
    causeElement(cluster, root, {
      parent: `${parent}/root`,
      description: whereText(root, facts.name),
      state: stateOfRoot(triage, root),
      node: facts.name,
    }),
  );
}

function whereText({ code, object }: Root, node: string): string {
  if (code === "outside") return "cause outside this node";
  return object?.kind === "Node" && object.name !== node ? `root cause, on ${object.name}` : "root cause";
}

/** As grave as the gravest that it brings about here. */
function stateOfRoot({ findings, severity }: NodeTriage, root: Root): RowState {
  const reached = new Set(findings.filter(({ code }) => code === root.code).map(({ id }) => id));
  if (reached.size === 0) return stateOf(severity);
  for (const { id, causedBy } of findings) if (causedBy.some((cause) => reached.has(cause))) reached.add(id);
  return gravest(findings.filter(({ id }) => reached.has(id)).map((finding) => finding.severity));
}
