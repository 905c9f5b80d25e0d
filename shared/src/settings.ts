// Shared by client and server: every setting, its type and its default. The one place that knows them;
// a test holds package.json's contributions against it.
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "./codes.ts";
import { SEVERITIES, type Severity } from "./severity.ts";

/** The prefix of every key, and the section that a client is asked for. */
export const SETTINGS_SECTION = "taintwise";

/** A severity that replaces a code's own, or `off`. */
export type SeverityOverride = Severity | "off";

export type RunMode = "onType" | "onSave";
export type TraceLevel = "messages" | "verbose";

/** What a person can set, with defaults filled in. */
export interface Settings {
  /** When a document is judged again: while typing, or when it is saved. */
  readonly run: RunMode;
  /** The most problems that are shown for one file; the rest is counted in the last one. */
  readonly maxProblems: number;
  /** Globs relative to the workspace folder; files that match are left alone. */
  readonly exclude: readonly string[];
  /** Minutes after which a cluster model counts as stale and names its age; 0 means never. */
  readonly staleAfter: number;
  /** Language ids of the documents that are checked. */
  readonly languages: readonly string[];
  readonly cluster: {
    /** A file or folder that `kubectl get … -o yaml|json` wrote, relative to the workspace folder; empty when unset. */
    readonly file: string;
    /** A context of the kubeconfig, where no file is set; empty when unset. */
    readonly context: string;
    /** The kubeconfig file; empty: KUBECONFIG, else the usual place. */
    readonly kubeconfig: string;
    /** More folders to look for credential plugins in. */
    readonly extraPath: readonly string[];
    /** Seconds that a credential plugin may take to sign in. */
    readonly signInTimeout: number;
    /** Namespaces that are read, beside the context's own, where the whole cluster may not be. */
    readonly namespaces: readonly string[];
    /** Whether triage asks the kubelets of nodes through the API server: it takes a privileged right. */
    readonly nodeProxy: boolean;
    /** Whether the commands that change a cluster may be used. */
    readonly allowChanges: boolean;
  };
  readonly explorer: {
    /** A label whose values are the pools of the Nodes view; empty: nodes with the same taints and roles are one pool. */
    readonly poolLabel: string;
  };
  readonly workspaceCheck: {
    /** Whether files that are not open are checked in the background. */
    readonly enabled: boolean;
  };
  readonly codeLens: { readonly enabled: boolean };
  readonly inlayHints: {
    /** Shows the tolerations that the DaemonSet controller adds. */
    readonly impliedTolerations: boolean;
  };
  /** Only the codes whose severity is set; the others keep their own. */
  readonly severity: Readonly<Partial<Record<DiagnosticCode, SeverityOverride>>>;
  readonly trace: { readonly server: TraceLevel };
}

/** How one setting is written in package.json and read from `unknown`. */
export type SettingDefinition =
  | { readonly type: "boolean"; readonly default: boolean }
  | { readonly type: "string"; readonly default: string }
  | { readonly type: "choice"; readonly choices: readonly string[]; readonly default: string }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly type: "strings"; readonly default: readonly string[] };

/** The choices of a `taintwise.severity.<code>` setting; `default` keeps the severity that the rule decides. */
export const SEVERITY_CHOICES = ["default", ...SEVERITIES, "off"] as const;

/** Every setting by its key without the section, in the order that people see. */
export const SETTING_DEFINITIONS: Readonly<Record<string, SettingDefinition>> = {
  "cluster.file": { type: "string", default: "" },
  "cluster.context": { type: "string", default: "" },
  "cluster.kubeconfig": { type: "string", default: "" },
  "cluster.extraPath": { type: "strings", default: [] },
  "cluster.signInTimeout": { type: "integer", minimum: 5, maximum: 3_600, default: 60 },
  "cluster.namespaces": { type: "strings", default: [] },
  "cluster.nodeProxy": { type: "boolean", default: false },
  "cluster.allowChanges": { type: "boolean", default: false },
  "explorer.poolLabel": { type: "string", default: "" },
  run: { type: "choice", choices: ["onType", "onSave"], default: "onType" },
  maxProblems: { type: "integer", minimum: 1, maximum: 10_000, default: 200 },
  exclude: { type: "strings", default: [] },
  staleAfter: { type: "integer", minimum: 0, maximum: 525_600, default: 1440 },
  languages: { type: "strings", default: ["yaml"] },
  "workspaceCheck.enabled": { type: "boolean", default: true },
  "codeLens.enabled": { type: "boolean", default: true },
  "inlayHints.impliedTolerations": { type: "boolean", default: false },
  ...Object.fromEntries(
    DIAGNOSTIC_CODES.map((code) => [
      `severity.${code}`,
      { type: "choice", choices: SEVERITY_CHOICES, default: "default" } as const,
    ]),
  ),
  "trace.server": { type: "choice", choices: ["messages", "verbose"], default: "messages" },
};
