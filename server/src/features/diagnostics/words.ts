// Features layer: nodes, taints and reasons as people read them.
import { formatTaint } from "../../kube/taint.ts";
import type { TaintAnswer } from "../../scheduling/verdict.ts";

/** The taints of the answers, each once, in kubectl's notation. */
export function taintsOf(answers: readonly TaintAnswer[]): readonly string[] {
  return [...new Set(answers.map((answer) => formatTaint(answer.taint)))];
}

/** The type of a value as people call it. */
export function describeType(type: string): string {
  switch (type) {
    case "object":
      return "a mapping";
    case "integer":
      return "a whole number";
    case "integer or text":
      return "a whole number or text";
    case "string":
      return "text";
    default:
      return `a ${type}`;
  }
}
