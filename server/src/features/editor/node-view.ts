// Features layer, editor: a node as a read-only text, for clusters that no file holds.
import type { ClusterModel } from "../../cluster/model.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { isExtendedResource, type Resources } from "../../kube/resources.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { renderFlow } from "../../yaml/edit/index.ts";

/** The node's YAML, as far as it is known; the first line names cluster and time. */
export function nodeView(cluster: ClusterModel, node: ClusterNode): string {
  const seen = cluster.observedAt === null ? "" : `, seen ${new Date(cluster.observedAt).toISOString()}`;
  const lines = [
    `# ${node.name} of ${cluster.name}${seen}. Read-only.`.replaceAll("\n", " "),
    "apiVersion: v1",
    "kind: Node",
    "metadata:",
    `  name: ${scalar(node.name)}`,
    ...mapping("  labels", node.labels),
    "spec:",
    ...(node.unschedulable ? ["  unschedulable: true"] : []),
    node.taints.length === 0 ? "  taints: []" : "  taints:",
    ...node.taints.flatMap(({ key, value, effect }) => [
      `    - key: ${scalar(key)}`,
      ...(value === "" ? [] : [`      value: ${scalar(value)}`]),
      `      effect: ${effect}`,
    ]),
    "status:",
    ...resources("  capacity", node.capacity),
    ...resources("  allocatable", node.allocatable),
    node.conditions.length === 0 ? "  conditions: []" : "  conditions:",
    ...node.conditions.map(
      ({ type, status, reason, message }) =>
        `    - ${renderFlow({ type, status, ...(reason === "" ? {} : { reason }), ...(message === "" ? {} : { message }) }, false)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function scalar(value: string): string {
  return renderFlow(value, false);
}

function mapping(name: string, entries: Readonly<Record<string, string>>): readonly string[] {
  const indent = " ".repeat(name.length - name.trimStart().length + 2);
  const pairs = Object.entries(entries);
  if (pairs.length === 0) return [];
  return [`${name}:`, ...pairs.map(([key, value]) => `${indent}${scalar(key)}: ${scalar(value)}`)];
}

function resources(name: string, amounts: Resources | null): readonly string[] {
  const extended = Object.entries(amounts ?? {}).filter(([resource]) => isExtendedResource(resource));
  return mapping(name, Object.fromEntries(extended.map(([key, amount]) => [key, formatAmount(key, amount)])));
}
