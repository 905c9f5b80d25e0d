// Explorer layer, reports: the steps of an investigation for a terminal.
import type { Palette } from "../../report/paint.ts";
import { wrap } from "../../report/text-layout.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import type { InvestigationStep, StepState } from "./step.ts";
import { stateMark } from "./steps-markdown.ts";

/** Widest text block: longer lines are hard to read. */
const WIDEST = 110;

/** A section about one node; commands stand on lines of their own, unbroken, to be copied. */
export function stepsText(
  cluster: JudgedCluster,
  node: string,
  steps: readonly InvestigationStep[],
  palette: Palette,
  columns: number,
): string {
  const width = Math.min(Math.max(columns, 60), WIDEST);
  const lines = steps.flatMap((step, index) => [
    `  ${index + 1}. ${palette.strong(step.title)}: ${painted(step.state, palette)}`,
    ...step.seen.flatMap((sentence) =>
      wrap(sentence, width - 7).map((line, at) => `${at === 0 ? "     - " : "       "}${line}`),
    ),
    ...step.commands.map((command) => `     ${palette.faint(`$ ${command}`)}`),
  ]);
  const note =
    cluster.access === null
      ? ["  The cluster was read from a file, so the commands name no context: they go to kubectl's current one."]
      : [];
  return `${[palette.strong(`The investigation of ${node}, step by step`), ...note, ...lines].join("\n")}\n`;
}

function painted(state: StepState, palette: Palette): string {
  const mark = stateMark(state);
  if (state === "ok") return palette.good(mark);
  return state === "found" ? palette.severity("error")(mark) : palette.faint(mark);
}
