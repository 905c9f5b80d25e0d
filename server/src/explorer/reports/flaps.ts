// Explorer layer, reports: what flapped: what was seen while the cluster was followed, and what its events tell of Ready.
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { flapsOf, flapText } from "../flap-text.ts";
import type { JudgedCluster } from "../judged-cluster.ts";

/** A section behind a comparison, of all nodes (null) or some; empty where nothing flapped. */
export function flapsReport(cluster: JudgedCluster, only: readonly string[] | null = null): string {
  const lines = [...(only ?? cluster.model.nodes.keys())].flatMap((node) => {
    const seen = flapsOf(cluster, node).map((flap) => `- ${code(node)}: ${flap.subject} is ${flapText(flap)}`);
    const told = (cluster.nodes.get(node)?.findings ?? [])
      .filter((finding) => finding.code === "node-flapping")
      .map(({ message }) => `- ${escapeMarkdown(message)}`);
    return [...seen, ...told];
  });
  if (lines.length === 0) return "";
  return `\n### Flapping\n\nWhat comes and goes within minutes is not healed, whatever it is now.\n\n${lines.join("\n")}\n`;
}
