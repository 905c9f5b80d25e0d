// Features layer: what a rule is given and what it gives. One file per code holds wording, severity and fix together.
import type { DiagnosticCode } from "../../../../shared/src/codes.ts";
import type { Severity } from "../../../../shared/src/severity.ts";
import type { SeveritySettings, WorkspaceConfig } from "../../config/workspace.ts";
import type { Role } from "../../coverage/role.ts";
import type { SchedulingOptions } from "../../scheduling/verdict.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestDocument, ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import type { Diagnostic, Fix, RelatedPlace } from "../diagnostic.ts";
import type { JudgedCluster, JudgeMemo } from "./judge.ts";

/** What the caller knows beside the file, the clusters and the workspace file. */
export interface DiagnoseOptions {
  /** The editor's settings; they win over the workspace file. */
  readonly severity: SeveritySettings;
  /** The file is patched or templated before it is applied: what clusters say of it is a hint at most. */
  readonly rendered: boolean;
  /** Another extension already reports YAML's own errors in this editor. */
  readonly yamlErrorsShown: boolean;
  /** By cluster name: a sentence on its age, put behind each message. */
  readonly ageNotes: ReadonlyMap<string, string>;
  /** Kept by callers that ask about many files; null: nothing is remembered. */
  readonly memo: JudgeMemo | null;
  /** Hears of a rule that failed; the other rules then still speak. Absent: the error ends the diagnosis. */
  readonly onRuleFailure?: (code: DiagnosticCode, error: unknown) => void;
}

export const DEFAULT_OPTIONS: DiagnoseOptions = {
  severity: {},
  rendered: false,
  yamlErrorsShown: false,
  ageNotes: new Map(),
  memo: null,
};

/** The file that a document stands in. */
export interface FileContext {
  readonly file: ManifestFile;
  /** Relative to the workspace file's folder, with `/`. */
  readonly path: string;
  readonly config: WorkspaceConfig;
  readonly options: DiagnoseOptions;
  readonly memo: JudgeMemo;
}

export interface DocumentContext extends FileContext {
  readonly document: ManifestDocument;
}

export interface WorkloadContext extends DocumentContext {
  readonly item: ManifestWorkload;
  readonly role: Role;
  readonly scheduling: SchedulingOptions;
  /** Who reverts edits of the object; null when the manifest is its own source. */
  readonly owner: string | null;
  /** The clusters that the file belongs to; empty when there is none. */
  readonly clusters: readonly JudgedCluster[];
}

/** A rule on a document's text. */
export interface DocumentRule {
  readonly code: DiagnosticCode;
  readonly subject: "document";
  check(context: DocumentContext): readonly Found[];
}

/** A rule on what the API server does with a workload, whatever the cluster. */
export interface ManifestRule {
  readonly code: DiagnosticCode;
  readonly subject: "manifest";
  check(context: WorkloadContext): readonly Found[];
}

/** A rule on where a workload's pods can live; silent or lowered where its pods do not run (yet). */
export interface PlacementRule {
  readonly code: DiagnosticCode;
  readonly subject: "placement";
  check(context: WorkloadContext): readonly Found[];
}

export type Rule = DocumentRule | ManifestRule | PlacementRule;

/** What a rule found; the framework adds the code, the workload, settings and silence. */
export interface Found {
  readonly severity: Severity;
  readonly span: Span;
  readonly message: string;
  readonly taints?: readonly string[];
  readonly nodes?: readonly string[];
  readonly cluster?: string;
  readonly related?: readonly RelatedPlace[];
  readonly tags?: Diagnostic["tags"];
  /** Read once, and only if somebody asks: costly ones are a getter. */
  readonly fixes?: readonly Fix[];
}
