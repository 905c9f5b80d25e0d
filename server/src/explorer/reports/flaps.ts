// Explorer layer, reports: what flapped while the cluster was followed.
import { code } from "../../report/markdown.ts";
import { flapsOf, flapText } from "../flap-text.ts";
import type { JudgedCluster } from "../judged-cluster.ts";

/** A section behind a comparison; empty where nothing flapped, or the cluster is not followed. */
export function flapsReport(cluster: JudgedCluster): string {
  const lines = [...cluster.model.nodes.keys()].flatMap((node) =>
    flapsOf(cluster, node).map((flap) => `- ${code(node)}: ${flap.subject} is ${flapText(flap)}`),
  );
  if (lines.length === 0) return "";
  return `\n### Flapping\n\nWhat comes and goes within minutes is not healed, whatever it is now.\n\n${lines.join("\n")}\n`;
}
