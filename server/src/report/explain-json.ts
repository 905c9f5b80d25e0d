// Report layer: `explain` as JSON (docs/json.md).
import { type CommonJson, commonJson, refJson } from "./document.ts";
import type { ExplainedNode, ExplainedWorkload, ExplainReport } from "./explain-report.ts";

export interface ExplainJson extends CommonJson {
  readonly workloads: readonly {
    readonly kind: string;
    readonly namespace: string | null;
    readonly name: string | null;
    readonly generateName: string | null;
    readonly path: string | null;
    readonly line: number | null;
    readonly cluster: string | null;
    readonly role: string;
    readonly problems: readonly string[];
    readonly sentence: string | null;
    readonly nodes: readonly {
      readonly name: string;
      readonly cluster: string | null;
      readonly verdict: string;
      readonly untolerated: readonly string[];
      readonly short: readonly {
        readonly resource: string;
        readonly requested: number;
        readonly allocatable: number;
        readonly advertised: boolean;
      }[];
      readonly reason: string;
      readonly running: boolean | null;
    }[];
  }[];
  readonly notes: readonly string[];
}

/** The JSON of an explanation. */
export function explainJson(report: ExplainReport): ExplainJson {
  return { ...commonJson(report.clusters), workloads: report.workloads.map(workloadJson), notes: report.notes };
}

function workloadJson(workload: ExplainedWorkload): ExplainJson["workloads"][number] {
  return {
    ...refJson(workload.ref),
    generateName: workload.generateName,
    path: workload.path,
    line: workload.line,
    cluster: workload.cluster,
    role: workload.role,
    problems: [...new Set(workload.problems.map((problem) => problem.code))],
    sentence: workload.sentence,
    nodes: workload.nodes.map((node) => nodeJson(node, workload.cluster)),
  };
}

function nodeJson(node: ExplainedNode, cluster: string | null): ExplainJson["workloads"][number]["nodes"][number] {
  return {
    name: node.name,
    cluster,
    verdict: node.verdict,
    untolerated: node.untolerated,
    short: node.short.map(({ resource, requested, allocatable, advertised }) => ({
      resource,
      requested,
      allocatable,
      advertised,
    })),
    reason: node.reason,
    running: node.running,
  };
}
