// Features layer: every rule applied to a file, and what settings, comments and circumstances make of the result.
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import { SEVERITIES, type Severity } from "../../../../shared/src/severity.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { clustersForPath } from "../../config/read-workspace.ts";
import { isSilenced, readSilences, type Silence } from "../../config/silence.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import { isExcluded } from "../../config/workspace-shape.ts";
import { findRole } from "../../coverage/find-role.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { workloadRef } from "../../kube/workload.ts";
import type { ManifestDocument, ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { withoutBrackets } from "../fill.ts";
import { ownerOf } from "../fixes/owner.ts";
import { withLateFixes, withSeverity } from "../late-fixes.ts";
import { createJudgeMemo, judgeWorkload, once, schedulingOf } from "./judge.ts";
import type { DiagnoseOptions, DocumentContext, FileContext, Found, Rule, WorkloadContext } from "./rule.ts";
import { RULES } from "./rules.ts";
import { type JudgeWorkload, withSoundFixes } from "./verify.ts";

/**
 * Every diagnostic of a file, in text order. In: the file as read, its path relative to the workspace file's folder
 * (with `/`), every cluster model at hand, the workspace file and what the caller knows. Spans and edits are UTF-16
 * offsets into `file.text`. Pure; the same input gives the same output.
 */
export function diagnoseFile(
  file: ManifestFile,
  path: string,
  clusters: readonly ClusterModel[],
  config: WorkspaceConfig,
  options: DiagnoseOptions,
): readonly Diagnostic[] {
  if (isExcluded(config.exclude, path)) return [];
  const context: FileContext = { file, path, config, options, memo: options.memo ?? createJudgeMemo() };
  const mapped = clustersOfFile(path, clusters, config);
  const { silences } = readSilences(
    file.text,
    file.documents.map((document) => document.yaml.span),
  );
  return file.documents.flatMap((document) => diagnoseDocument(document, context, mapped, silences)).sort(byPlace);
}

/** The models that a file is judged against: those its path is mapped to, or all where nothing is mapped. */
export function clustersOfFile(
  path: string,
  clusters: readonly ClusterModel[],
  config: WorkspaceConfig,
): readonly ClusterModel[] {
  const names = clustersForPath(config, path);
  return names === null ? clusters : clusters.filter((cluster) => names.includes(cluster.name));
}

/** The diagnostics of one document; its result depends on nothing else of the file but the offsets. */
export function diagnoseDocument(
  document: ManifestDocument,
  context: FileContext,
  clusters: readonly ClusterModel[],
  silences: readonly Silence[],
): readonly Diagnostic[] {
  const ofDocument = RULES.flatMap((rule) =>
    rule.subject === "document"
      ? found(rule.code, context.options, () => rule.check({ ...context, document })).map((entry) =>
          toDiagnostic(rule, entry, null, context.options, true),
        )
      : [],
  );
  const workloads = document.workloads.flatMap((item) => diagnoseWorkload(item, { ...context, document }, clusters));
  return [...ofDocument, ...workloads].flatMap((diagnostic) => {
    if (isSilenced(silences, diagnostic.code, diagnostic.span.start)) return [];
    const setting = context.options.severity[diagnostic.code] ?? context.config.severity[diagnostic.code];
    if (setting === "off") return [];
    return [setting === undefined ? diagnostic : withSeverity(diagnostic, setting)];
  });
}

/** Advice on a list of tolerations; a pod that a controller made has it from a template, where it belongs. */
const TEMPLATE_ADVICE: ReadonlySet<DiagnosticCode> = new Set([
  "toleration-duplicate",
  "toleration-unmatched",
  "toleration-blanket",
  "toleration-attracts-nothing",
]);

/** A workload's diagnostics, with fixes that were tried out where they need to be. */
function diagnoseWorkload(
  item: ManifestWorkload,
  context: DocumentContext,
  clusters: readonly ClusterModel[],
): readonly Diagnostic[] {
  const judge: JudgeWorkload = (other, place) => applyRules(other, place, clusters);
  const found = judge(item, context);
  // Of nodes out of reach nobody has asked yet whether they offer the devices.
  const asksDevices = Object.keys(item.workload.template.requests).some(isExtendedResource);
  const unsure = asksDevices && found.length > 0 && !isPlaced(item, context, clusters);
  return withSoundFixes(found, item, context, judge, unsure);
}

/** Whether some node takes the workload's pods as it is. */
function isPlaced(
  { workload }: ManifestWorkload,
  { config, memo }: DocumentContext,
  clusters: readonly ClusterModel[],
): boolean {
  return clusters.some((cluster) => {
    const { counts } = judgeWorkload(workload, cluster, config, memo).coverage;
    return (counts.run ?? 0) + (counts.fits ?? 0) > 0;
  });
}

function applyRules(
  item: ManifestWorkload,
  document: DocumentContext,
  clusters: readonly ClusterModel[],
): readonly Diagnostic[] {
  const { workload } = item;
  const { config, memo, options } = document;
  const role = once(() => findRole(workload, config.roles).role);
  const context: WorkloadContext = {
    ...document,
    item,
    // Most rules of most workloads do not ask for it.
    get role() {
      return role();
    },
    scheduling: schedulingOf(config, null),
    owner: ownerOf(workload),
    clusters: clusters.map((cluster) => judgeWorkload(workload, cluster, config, memo)),
  };
  const limit = severityLimit(context);
  const made = workload.kind === "Pod" && workload.controller !== null;
  return RULES.flatMap((rule) => {
    if (rule.subject === "document" || (made && TEMPLATE_ADVICE.has(rule.code))) return [];
    if (item.misshapen && rule.code !== "toleration-value-type") return [];
    return found(rule.code, options, () => rule.check(context)).map((entry) => {
      const severity = rule.subject === "placement" ? atMost(entry.severity, limit) : entry.severity;
      return withSeverity(toDiagnostic(rule, entry, item, options, context.owner === null), severity);
    });
  });
}

/** What a rule finds. One that throws is told to whoever wants to hear it and finds nothing; else the error goes on. */
function found<T>(code: DiagnosticCode, { onRuleFailure }: DiagnoseOptions, check: () => readonly T[]): readonly T[] {
  if (onRuleFailure === undefined) return check();
  try {
    return check();
  } catch (error) {
    onRuleFailure(code, error);
    return [];
  }
}

/** A workload whose pods do not run, and text that is changed before it is applied, get a hint at most. */
function severityLimit(context: WorkloadContext): Severity {
  const { workload } = context.item;
  const idle = workload.replicas === 0 || workload.suspended || workload.finished || workload.kind === "PodTemplate";
  return idle || context.options.rendered ? "hint" : "error";
}

/** The lower of the two severities. */
function atMost(severity: Severity, limit: Severity): Severity {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(limit) ? limit : severity;
}

/** A rule's find as a diagnostic; without fixes where somebody else owns the text. */
function toDiagnostic(
  rule: Rule,
  entry: Found,
  item: ManifestWorkload | null,
  options: DiagnoseOptions,
  fixable: boolean,
): Diagnostic {
  const note = entry.cluster === undefined ? undefined : options.ageNotes.get(entry.cluster);
  const diagnostic = {
    code: rule.code,
    severity: entry.severity,
    span: entry.span,
    message: note === undefined ? entry.message : `${entry.message} ${note}`,
    workload: item === null ? null : workloadRef(item.workload),
    taints: entry.taints ?? [],
    nodes: (entry.nodes ?? []).map(withoutBrackets),
    cluster: entry.cluster ?? null,
    related: entry.related ?? [],
    tags: entry.tags ?? [],
  };
  return withLateFixes(diagnostic, () => (fixable ? found(rule.code, options, () => entry.fixes ?? []) : []));
}

/** Text order; of diagnostics at one place, by code and cluster. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    a.span.start - b.span.start ||
    a.span.end - b.span.end ||
    compareText(a.code, b.code) ||
    compareText(a.cluster ?? "", b.cluster ?? "")
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
