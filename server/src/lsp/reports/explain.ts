// LSP layer: the report about one workload, the same as `taintwise explain` prints.
import type { Position } from "vscode-languageserver";
import type { ExplainResult, WorkloadChoice } from "../../../../shared/src/protocol.ts";
import type { Diagnostic } from "../../features/diagnostic.ts";
import type { JudgeMemo } from "../../features/diagnostics/judge.ts";
import { judged, workloadsOf } from "../../features/editor/context.ts";
import { summarise } from "../../features/editor/summary.ts";
import { formatRef } from "../../kube/workload.ts";
import { explainMarkdown } from "../../report/explain-markdown.ts";
import { explainWorkload } from "../../report/explain-workload.ts";
import { missingNotes, requestsDevice } from "../../report/missing-parts.ts";
import type { ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import type { AnalysedDocument } from "../documents/analysed.ts";
import { contextOf, openManifest } from "../documents/manifest-text.ts";

export const messages = {
  notOpen: "Open the manifest first: only open documents are explained.",
  noWorkload: "There is no workload in this file.",
  noCluster: "No cluster is chosen: gaps, time bombs and unschedulable workloads are unknown.",
} as const;

/** Explains the workload at the position, or the only one; `document` null when it is not open. */
export function answerExplain(
  document: AnalysedDocument | null,
  position: Position | null,
  memo: JudgeMemo,
): ExplainResult {
  if (document === null) return { kind: "none", reason: messages.notOpen };
  const items = workloadsOf(document.file);
  const [first] = items;
  if (first === undefined) return { kind: "none", reason: messages.noWorkload };
  const item = position === null ? null : workloadAt(document.file, document.lines.offsetAt(position));
  if (item !== null) return explained(document, item, memo);
  return items.length === 1 ? explained(document, first, memo) : choices(document, items, memo);
}

/** The workload whose text holds the UTF-16 offset, or whose document does where it has no other; null between workloads. */
export function workloadAt(file: ManifestFile, offset: number): ManifestWorkload | null {
  for (const { yaml, workloads } of file.documents) {
    const inside = workloads.find(({ object: { span } }) => span.start <= offset && offset <= span.end);
    if (inside !== undefined) return inside;
    const [only, ...more] = workloads;
    if (only !== undefined && more.length === 0 && yaml.span.start <= offset && offset < yaml.span.end) return only;
  }
  return null;
}

/** The diagnostics that stand inside a workload's own text. */
export function diagnosticsOf(item: ManifestWorkload, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { start, end } = item.object.span;
  return diagnostics.filter(({ span, workload }) => workload !== null && span.start >= start && span.start <= end);
}

function explained(document: AnalysedDocument, item: ManifestWorkload, memo: JudgeMemo): ExplainResult {
  const { clusters, config } = contextOf(openManifest(document), memo);
  const place = { path: document.path, line: document.lines.positionAt(item.nameSpan.start).line };
  const found = diagnosticsOf(item, document.diagnostics);
  const targets = clusters.length === 0 ? [null] : clusters;
  const workloads = targets.map((cluster) =>
    explainWorkload(
      item.workload,
      cluster,
      config,
      place,
      found.filter((each) => each.cluster === null || each.cluster === cluster?.name),
      memo.coverage,
    ),
  );
  const asksForDevices = requestsDevice(item.workload);
  const notes =
    clusters.length === 0 ? [messages.noCluster] : clusters.flatMap((cluster) => missingNotes(cluster, asksForDevices));
  return {
    kind: "report",
    report: { title: titleOf(item), markdown: explainMarkdown({ clusters, workloads, notes }) },
  };
}

function choices(document: AnalysedDocument, items: readonly ManifestWorkload[], memo: JudgeMemo): ExplainResult {
  const context = contextOf(openManifest(document), memo);
  const workloads = items.map((item): WorkloadChoice => {
    const summaries = judged(item, context).flatMap((cluster) => summarise(cluster) ?? []);
    return {
      label: titleOf(item),
      detail: summaries.join(" / "),
      position: document.lines.positionAt(item.nameSpan.start),
    };
  });
  return { kind: "choose", workloads };
}

/** `DaemonSet monitoring/agent`. */
export function titleOf({ workload }: Pick<ManifestWorkload, "workload">): string {
  return formatRef(workload).replace("/", " ");
}
