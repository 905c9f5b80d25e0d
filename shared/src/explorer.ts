// Shared by client and server: the node-health explorer: rows of its views, reports and checks about what a row shows,
// and the coverage matrix. Plain serialisable data; a client that knows none of it still has everything else.
import type { DocumentPlace, NoParams, NotificationName, Report, RequestName, TextRange } from "./protocol.ts";
import type { Severity } from "./severity.ts";

// ---- rows -----------------------------------------------------------------------------------------------------

export type ExplorerViewName = "nodes" | "workloads";
export type NodeGrouping = "pool" | "flat" | "problem";

/** How a view is to be shown. */
export interface ExplorerOptions {
  readonly grouping: NodeGrouping;
  /** A label whose values are the pools; empty: nodes with the same taints and roles are one pool. */
  readonly poolLabel: string;
  /** Words that a row's node or workload must all contain, whatever their case; empty: everything. */
  readonly filter: string;
  readonly onlyProblems: boolean;
}

/** What a row stands for; menus and icons go by it. */
export type RowKind =
  | "cluster"
  | "group"
  | "node"
  | "cause"
  | "section"
  | "condition"
  | "taint"
  | "daemonset"
  | "workload"
  | "pod"
  | "resource"
  | "driver"
  | "event"
  | "more"
  | "note";

/** How it is with what the row stands for. `plain`: nothing to judge; `unknown` is never `good`. */
export type RowState = Severity | "good" | "unknown" | "plain";

/** The object a row is about, so that commands can act on it. */
export interface RowTarget {
  /** The key of its cluster. */
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  /** The node under which it was shown; null elsewhere. */
  readonly node: string | null;
}

export interface ExplorerRow {
  /** Where the row stands: cluster, groups and the object's uid. Unique over all views; holds no label, counter or state. */
  readonly id: string;
  readonly kind: RowKind;
  readonly label: string;
  readonly description: string;
  /** Plain text, several lines. */
  readonly tooltip: string;
  readonly state: RowState;
  /** What a screen reader says: label, state in a word, description. */
  readonly spoken: string;
  readonly children: "none" | "collapsed" | "expanded";
  readonly target: RowTarget | null;
}

/** Client → server: the children of a row, answered from memory. */
export const ExplorerRows: RequestName<ExplorerRowsParams, ExplorerRowsResult> = { method: "taintwise/explorerRows" };
export interface ExplorerRowsParams {
  readonly view: ExplorerViewName;
  /** A row's id; null for the top of the view. */
  readonly parent: string | null;
  /** The most rows to answer with; one more row says how many are left. */
  readonly limit: number;
  readonly options: ExplorerOptions;
}
export interface ExplorerRowsResult {
  readonly rows: readonly ExplorerRow[];
  /** What limits the answer, one sentence for the view's message row; empty for none. */
  readonly message: string;
  /** Whether nodes are still being judged, so that rows will change by themselves. */
  readonly judging: boolean;
}

/** Server → client notification: rows are others than before. Sent at most twice a second. */
export const ExplorerChanged: NotificationName<ExplorerSummary> = { method: "taintwise/explorerChanged" };
export interface ExplorerSummary {
  /** Nodes with an error or a warning. */
  readonly problems: number;
  readonly nodes: number;
  readonly judging: boolean;
}

// ---- reports and checks ---------------------------------------------------------------------------------------

export type ExplorerReportName = "triage" | "onNode" | "recovery" | "beforeChange" | "compare";

/** Client → server: a report about a node, a pod, a workload, or (target null) every cluster in use. */
export const ExplorerReport: RequestName<ExplorerReportParams, ExplorerReportResult> = {
  method: "taintwise/explorerReport",
};
export interface ExplorerReportParams {
  readonly report: ExplorerReportName;
  readonly target: RowTarget | null;
  /** `compare`: absolute path of an earlier snapshot or dump; null takes the last one again. */
  readonly path: string | null;
}
export type ExplorerReportResult =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "none"; readonly reason: string };

/** Client → server: the commands that look at a target, to be typed by a person. They change nothing. */
export const ExplorerChecks: RequestName<RowTarget, readonly ExplorerCheck[]> = { method: "taintwise/explorerChecks" };
export interface ExplorerCheck {
  /** What it answers. */
  readonly title: string;
  /** The words of the command, unquoted: how they are quoted is the matter of the shell they are typed into (shell.ts). */
  readonly words: readonly string[];
  /** The same as one line for a POSIX shell. */
  readonly command: string;
}

/** Client → server: how to fix what a workload lacks; null when the cluster does not have it. */
export const WorkloadFix: RequestName<RowTarget, WorkloadFixResult | null> = { method: "taintwise/workloadFix" };
export interface WorkloadFixResult {
  /** Manifests of the workspace that define it, by kind, namespace and name; the place is where to change it. */
  readonly files: readonly WorkloadFile[];
  /** A patch of the live object that tests its list and appends to it; null where there is nothing to add or an owner would revert it. */
  readonly patch: {
    readonly title: string;
    /** The words of the kubectl command, unquoted. */
    readonly words: readonly string[];
    /** The same as one line for a POSIX shell. */
    readonly command: string;
    readonly json: string;
  } | null;
  /** Whom the object belongs to, in words; empty when to nobody. */
  readonly owner: string;
  /** A sentence for people: what to do. */
  readonly advice: string;
}
export interface WorkloadFile {
  /** `manifests/agent.yaml:12`. */
  readonly label: string;
  readonly place: DocumentPlace;
  readonly range: TextRange;
}

// ---- coverage -------------------------------------------------------------------------------------------------

export type CellState = "runs" | "bomb" | "gap" | "excluded" | "waits";

/** Client → server: node classes × platform DaemonSets. */
export const CoverageMatrix: RequestName<CoverageMatrixParams, CoverageMatrixResult | null> = {
  method: "taintwise/coverageMatrix",
};
export interface CoverageMatrixParams {
  /** The key of a cluster; null: the first. */
  readonly cluster: string | null;
  /** A taint that nobody has set yet, and on which class. */
  readonly whatIf: { readonly row: string; readonly taint: string } | null;
}
export interface CoverageMatrixResult {
  readonly cluster: string;
  readonly clusterName: string;
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
  /** What the what-if row could not be made from; empty when all is well. */
  readonly problem: string;
}
export interface MatrixColumn {
  readonly id: string;
  /** `kube-system/csi-node`. */
  readonly name: string;
  readonly role: string;
  readonly target: RowTarget;
}
export interface MatrixRow {
  readonly id: string;
  /** The class's taints, or `no taints`. */
  readonly name: string;
  readonly nodes: number;
  /** The first nodes' names. */
  readonly sample: readonly string[];
  /** A class as it would be. */
  readonly whatIf: boolean;
  /** One per column. */
  readonly cells: readonly MatrixCell[];
}
export interface MatrixCell {
  readonly state: CellState;
  /** How many of the class's nodes are in this state; the gravest state counts. */
  readonly nodes: number;
  /** One sentence. */
  readonly reason: string;
}

/** Client → server, no parameters: the clusters that have a matrix. */
export const ExplorerClusters: RequestName<
  NoParams,
  readonly { readonly key: string; readonly name: string; readonly context: string | null }[]
> = { method: "taintwise/explorerClusters" };
