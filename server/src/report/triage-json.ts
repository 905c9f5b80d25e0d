// Report layer: triage as JSON (docs/json.md).
import type { ClusterModel } from "../cluster/model.ts";
import type { ObjectRef } from "../kube/workload.ts";
import type { Finding, FindingItem, NodeTriage, PodTriage, TriageReport } from "../triage/finding.ts";
import { type CommonJson, commonJson, refJson } from "./document.ts";
import { isoTime } from "./time.ts";

interface EvidenceJson {
  readonly text: string;
  readonly at: string | null;
  readonly object: ObjectRef | null;
}

interface ItemJson {
  readonly object: ObjectRef | null;
  readonly severity: string;
  readonly message: string;
  readonly consequence: string;
  readonly advice: string;
  readonly evidence: readonly EvidenceJson[];
}

interface FindingJson extends ItemJson {
  readonly code: string;
  readonly since: string | null;
  readonly causedBy: readonly string[];
  readonly items: readonly ItemJson[];
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
    readonly advice: string;
    readonly nodes: readonly string[];
  }[];
  /** What could not be judged, in words. */
  readonly unknown: readonly string[];
}

/** The JSON of a triage over the given clusters, in their order. */
export function triageJson(clusters: readonly ClusterModel[], reports: readonly TriageReport[]): TriageJson {
  // The time that every age below counts from; it may be later than what the server side wrote.
  const observed = clusters.map((cluster, index) => ({
    ...cluster,
    observedAt: reports[index]?.observedAt ?? cluster.observedAt,
  }));
  return {
    ...commonJson(observed),
    nodes: reports.flatMap((report) => report.nodes.map((node) => nodeJson(node, report.cluster))),
    pods: reports.flatMap((report) => report.pods.map((pod) => podJson(pod, report.cluster))),
    clusterCauses: reports.flatMap((report) =>
      report.clusterCauses.map(({ summary, advice, nodes }) => ({ cluster: report.cluster, summary, advice, nodes })),
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
    ...itemJson(finding),
    since: isoTime(finding.since),
    causedBy: [...new Set(causes)],
    items: finding.items.map(itemJson),
  };
}

function itemJson(item: FindingItem): ItemJson {
  return {
    severity: item.severity,
    message: item.message,
    consequence: item.consequence,
    advice: item.advice,
    object: item.object === null ? null : refJson(item.object),
    evidence: item.evidence.map((seen) => ({
      text: seen.text,
      at: isoTime(seen.at),
      object: seen.object === null ? null : refJson(seen.object),
    })),
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
