// Report layer: `preflight` as JSON (docs/json.md).
import type { PatchStep } from "../coverage/toleration-patch.ts";
import { formatTaint } from "../kube/taint.ts";
import { type Workload, workloadRef } from "../kube/workload.ts";
import { type CommonJson, commonJson, refJson } from "./document.ts";
import type { PreflightReport } from "./preflight-report.ts";

/** A workload's name, with its cluster. */
interface WorkloadJson {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly cluster: string;
}

export interface PreflightJson extends CommonJson {
  readonly taint: string;
  readonly remove: boolean;
  readonly nodes: readonly { readonly name: string; readonly cluster: string; readonly changed: boolean }[];
  readonly changes: readonly (WorkloadJson & {
    readonly role: string;
    readonly node: string;
    readonly from: string;
    readonly to: string;
    readonly running: boolean | null;
    readonly timeBomb: boolean;
  })[];
  readonly feasibility: readonly (WorkloadJson & { readonly becomes: string })[];
  readonly evictions: readonly {
    readonly pod: string;
    readonly node: string;
    readonly cluster: string;
    readonly afterSeconds: number;
    readonly taint: string;
    readonly by: string;
  }[];
  readonly patches: readonly (WorkloadJson & { readonly patch: readonly PatchStep[]; readonly command: string })[];
  readonly unknown: readonly string[];
}

/** The JSON of a preflight over the given clusters (at least one). */
export function preflightJson(reports: readonly PreflightReport[]): PreflightJson {
  const [first] = reports;
  return {
    ...commonJson(reports.map((report) => report.cluster)),
    taint: first === undefined ? "" : formatTaint(first.change.taint),
    remove: first?.change.remove ?? false,
    nodes: reports.flatMap(({ cluster, answer }) => [
      ...answer.nodes.map((name) => ({ name, cluster: cluster.name, changed: true })),
      ...answer.unchanged.map((name) => ({ name, cluster: cluster.name, changed: false })),
    ]),
    changes: reports.flatMap(({ cluster, answer, roleOf }) =>
      answer.changes.map(({ workload, node, from, to, running, timeBomb }) => ({
        ...workloadJson(workload, cluster.name),
        role: roleOf(workload),
        node,
        from,
        to,
        running,
        timeBomb,
      })),
    ),
    feasibility: reports.flatMap(({ cluster, answer }) =>
      answer.feasibility.map(({ workload, becomes }) => ({ ...workloadJson(workload, cluster.name), becomes })),
    ),
    evictions: reports.flatMap(({ cluster, answer }) =>
      answer.evictions.map(({ pod, node, afterSeconds, taint, by }) => ({
        pod: `${pod.namespace}/${pod.name}`,
        node,
        cluster: cluster.name,
        afterSeconds,
        taint: formatTaint(taint),
        by,
      })),
    ),
    patches: reports.flatMap(({ cluster, patches }) =>
      patches.map(({ workload, patch, command }) => ({ ...workloadJson(workload, cluster.name), patch, command })),
    ),
    unknown: [...new Set(reports.flatMap(({ answer }) => answer.unknown))],
  };
}

function workloadJson(workload: Workload, cluster: string): WorkloadJson {
  return { ...refJson(workloadRef(workload)), cluster };
}
