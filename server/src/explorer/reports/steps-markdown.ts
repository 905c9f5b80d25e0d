// Explorer layer, reports: the steps of an investigation as Markdown.
import { code, escapeMarkdown } from "../../report/markdown.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { debugNode } from "./kubectl.ts";
import { programsOf } from "./node-programs.ts";
import type { InvestigationStep, StepState } from "./step.ts";

const MARKS: Readonly<Record<StepState, string>> = {
  ok: "✓ ok",
  found: "✗ found",
  "not allowed": "? not allowed",
  "not in what was read": "? not in what was read",
  "not enabled on this node": "? not enabled on this node",
  "not asked": "– not asked",
  failed: "? failed",
};

/** The state with a mark that tells it without colour. */
export function stateMark(state: StepState): string {
  return MARKS[state];
}

/** A section about one node, each step with its commands. */
export function stepsMarkdown(cluster: JudgedCluster, node: string, steps: readonly InvestigationStep[]): string {
  const lines = steps.flatMap((step, index) => [
    `${index + 1}. **${step.title}: ${stateMark(step.state)}**`,
    ...step.seen.map((sentence) => `   - ${escapeMarkdown(sentence)}`),
    "",
    "   By hand:",
    "",
    "   ```sh",
    ...step.commands.map((command) => `   ${command}`),
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
    // kubectl makes the pod for Linux: a Windows node refuses it.
    ...(programsOf(cluster.facts.nodes.get(node)).windows
      ? []
      : [
          "What else only the node itself knows (its kernel, network and devices) is not in the API. The way in:",
          "",
          "```sh",
          debugNode(cluster.access, node),
          "```",
          "",
        ]),
  ].join("\n");
}
