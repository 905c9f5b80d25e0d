// Explorer layer, reports: the steps of an investigation as JSON (docs/json.md).
import type { JudgedCluster } from "../judged-cluster.ts";
import type { InvestigationStep, StepState } from "./step.ts";

export interface InvestigationJson {
  readonly cluster: string;
  readonly node: string;
  readonly steps: readonly {
    readonly title: string;
    readonly state: StepState;
    readonly seen: readonly string[];
    readonly commands: readonly string[];
  }[];
}

/** One node's investigation: exactly these keys. */
export function investigationJson(
  cluster: JudgedCluster,
  node: string,
  steps: readonly InvestigationStep[],
): InvestigationJson {
  return {
    cluster: cluster.model.name,
    node,
    steps: steps.map(({ title, state, seen, commands }) => ({ title, state, seen, commands })),
  };
}
