// Explorer layer, reports: what came and went while the cluster was followed, and what its events tell of Ready.
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { absencesOn, absenceText } from "../flap-text.ts";
import type { JudgedCluster } from "../judged-cluster.ts";

/** A section behind a comparison, of all nodes (null) or some; empty where nothing flapped. */
export function flapsReport(cluster: JudgedCluster, only: readonly string[] | null = null): string {
  const lines = [...(only ?? cluster.model.nodes.keys())].flatMap((node) => {
    const seen = absencesOn(cluster, node).map(
      (absence) => `- ${code(node)}: ${absence.subject} ${absence.flaps ? "is" : "was"} ${absenceText(absence)}`,
    );
    const told = (cluster.nodes.get(node)?.findings ?? [])
      .filter((finding) => finding.code === "node-flapping")
      .map(({ message }) => `- ${escapeMarkdown(message)}`);
    return [...seen, ...told];
  });
  if (lines.length === 0) return "";
  return `\n### Lost lately\n\nWhat comes and goes within minutes is not healed, whatever it is now.\n\n${lines.join("\n")}\n`;
}
