// Command-line layer: triage as JSON (docs/json.md).
import type { ClusterModel } from "../../cluster/model.ts";
import type { ObjectRef } from "../../kube/workload.ts";
import type { Finding, NodeTriage, PodTriage, TriageReport } from "../../triage/finding.ts";
import { type CommonJson, commonJson, refJson } from "./document.ts";
import { isoTime } from "./time.ts";

interface FindingJson {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly consequence: string;
  readonly object: ObjectRef | null;
  readonly evidence: readonly {
    readonly text: string;
    readonly at: string | null;
    readonly object: ObjectRef | null;
  }[];
  readonly causedBy: readonly string[];
}

export interface TriageJson extends CommonJson {
  readonly nodes: readonly {
    readonly name: string;
    readonly cluster: string;
    readonly severity: string;
    readonly roots: readonly {
      readonly code: string;
      readonly object: ObjectRef | null;
      readonly summary: string;
      readonly advice: string;
    }[];
    readonly findings: readonly FindingJson[];
  }[];
  readonly pods: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly cluster: string;
    readonly findings: readonly string[];
    readonly root: string;
    readonly object: ObjectRef | null;
    readonly summary: string;
    readonly advice: string;
  }[];
  readonly clusterCauses: readonly {
    readonly cluster: string;
    readonly summary: string;
    readonly nodes: readonly string[];
  }[];
  /** What could not be judged, in words. */
  readonly unknown: readonly string[];
}

/** The JSON of a triage over the given clusters, in their order. */
export function triageJson(clusters: readonly ClusterModel[], reports: readonly TriageReport[]): TriageJson {
  return {
    ...commonJson(clusters),
    nodes: reports.flatMap((report) => report.nodes.map((node) => nodeJson(node, report.cluster))),
    pods: reports.flatMap((report) => report.pods.map((pod) => podJson(pod, report.cluster))),
    clusterCauses: reports.flatMap((report) =>
      report.clusterCauses.map((cause) => ({ cluster: report.cluster, summary: cause.summary, nodes: cause.nodes })),
    ),
    unknown: [...new Set(reports.flatMap((report) => report.unknown))],
  };
}

function nodeJson(node: NodeTriage, cluster: string): TriageJson["nodes"][number] {
  return {
    name: node.name,
    cluster,
    severity: node.severity,
    roots: node.roots.map((root) => ({
      code: root.code,
      object: root.object === null ? null : refJson(root.object),
      summary: root.summary,
      advice: root.advice,
    })),
    findings: node.findings.map((finding) => findingJson(finding, node.findings)),
  };
}

/** Causes are written by code; ids are internal to a report. */
function findingJson(finding: Finding, all: readonly Finding[]): FindingJson {
  const causes = all.filter((other) => finding.causedBy.includes(other.id)).map((other) => other.code);
  return {
    code: finding.code,
    severity: finding.severity,
    message: finding.message,
    consequence: finding.consequence,
    object: finding.object === null ? null : refJson(finding.object),
    evidence: finding.evidence.map((seen) => ({
      text: seen.text,
      at: isoTime(seen.at),
      object: seen.object === null ? null : refJson(seen.object),
    })),
    causedBy: [...new Set(causes)],
  };
}

function podJson(pod: PodTriage, cluster: string): TriageJson["pods"][number] {
  return {
    namespace: pod.namespace,
    name: pod.name,
    cluster,
    findings: pod.findings.map((finding) => finding.code),
    root: pod.root.code,
    object: pod.root.object === null ? null : refJson(pod.root.object),
    summary: pod.root.summary,
    advice: pod.root.advice,
  };
}
