// Test support: manifests and clusters from text, judged as the product judges them.

import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { readWorkspaceText } from "../../server/src/config/read-workspace.ts";
import { DEFAULT_CONFIG, type WorkspaceConfig } from "../../server/src/config/workspace.ts";
import type { Diagnostic } from "../../server/src/features/diagnostic.ts";
import { diagnoseFile } from "../../server/src/features/diagnostics/diagnose.ts";
import { DEFAULT_OPTIONS, type DiagnoseOptions } from "../../server/src/features/diagnostics/rule.ts";
import type { TextEdit } from "../../server/src/text/span.ts";
import { readManifest } from "../../server/src/workload/read.ts";

/** A cluster model from the text of a dump. */
export function clusterOf(text: string, name = "cluster"): ClusterModel {
  const file = { path: `${name}.yaml`, bytes: new TextEncoder().encode(text), named: true };
  return readClusterFiles([file], { name, now: null }).model;
}

/** A workspace configuration from its text; a test that writes a bad one fails. */
export function configOf(text: string): WorkspaceConfig {
  const { config, problems } = readWorkspaceText(text);
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.message).join("\n"));
  return config;
}

/** What the product says of a manifest. */
export interface Judging {
  readonly clusters?: readonly ClusterModel[];
  readonly config?: WorkspaceConfig;
  readonly options?: Partial<DiagnoseOptions>;
  readonly path?: string;
}

/** Reads and judges a manifest. */
export function diagnose(text: string, judging: Judging = {}): readonly Diagnostic[] {
  const path = judging.path ?? "manifest.yaml";
  const options = { ...DEFAULT_OPTIONS, ...judging.options };
  const file = readManifest(text, { path });
  return diagnoseFile(file, path, judging.clusters ?? [], judging.config ?? DEFAULT_CONFIG, options);
}

/** The text after the edits; they must be in text order and must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { span, newText } of edits) {
    if (span.start < at) throw new Error("edits overlap or are out of order");
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}

/** One line for people: `severity code name: nodes [taints]`. */
export function summary(diagnostic: Diagnostic): string {
  const { severity, code, workload, nodes, taints } = diagnostic;
  const where = workload === null ? "(document)" : `${workload.kind}/${workload.name}`;
  const on = nodes.length === 0 ? "" : ` @ ${nodes.join(", ")}`;
  const by = taints.length === 0 ? "" : ` [${taints.join(", ")}]`;
  return `${severity} ${code} ${where}${on}${by}`;
}
