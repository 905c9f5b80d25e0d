// Shared by client and server: what they say to each other beyond the language server protocol.
// Plain serialisable data. Every message is optional for other editors: a client that knows none of them
// still gets diagnostics, fixes, hover and completion.

/** A request by its method; the types of its parameters and answer are tied to it (`types` is never set). */
export interface RequestName<Params, Result> {
  readonly method: string;
  readonly types?: readonly [Params, Result];
}

/** A notification by its method, with the type of its parameters. */
export interface NotificationName<Params> {
  readonly method: string;
  readonly types?: Params;
}

/** The parameters of a message that needs none. */
export type NoParams = Readonly<Record<string, never>>;

/** A 0-based place; `character` counts UTF-16 code units, as everywhere in the protocol. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** A place in a document. */
export interface DocumentPlace {
  readonly uri: string;
  readonly position: TextPosition;
}

/** `initializationOptions` of the initialize request. Absent or partial for other editors. */
export interface InitializationOptions {
  /** Whether the workspace is trusted. Where it is not, nothing happens but the analysis of files inside the workspace. */
  readonly trusted: boolean;
  /** The cluster that the user chose last in this workspace; null: what settings and the workspace file say. */
  readonly cluster: ClusterChoice | null;
  /** The commands of ClientCommand that this client can run; lenses and actions use no other. */
  readonly commands: readonly string[];
  /** Another extension shows the syntax errors of YAML; ours are then left out. */
  readonly yamlErrorsShown?: boolean;
  /** URIs of documents that were at hand each time the server ended by itself; they are not read until they are saved. */
  readonly quarantined?: readonly string[];
  /** The client opens documents of NODE_SCHEME by asking NodeView for their text. */
  readonly nodeViews?: boolean;
  /** The client answers AskPermission. Where it does not, what needs a person's word is not done. */
  readonly permissions?: boolean;
  /** The client shows an explorer, badge included, without being asked: clusters are judged as they change. */
  readonly explorer?: boolean;
}

/** Commands of the client that lenses, hovers and code actions of the server may name. */
export const ClientCommand = {
  /** Shows the report about the workload at a place; argument: DocumentPlace. */
  explain: "taintwise.explainWorkload",
  /** Puts the patch for the workload at a place on the clipboard; argument: DocumentPlace. */
  copyPatch: "taintwise.copyKubectlPatch",
  /** Opens a place; arguments: DocumentPlace. */
  open: "taintwise.openPlace",
  /** Lets the user choose a cluster; no argument. */
  selectCluster: "taintwise.selectCluster",
} as const;

// ---- the cluster ----------------------------------------------------------------------------------------------

/** What the manifests are held against. */
export type ClusterChoice =
  | {
      readonly kind: "file";
      /** Absolute path of a file or folder. */
      readonly path: string;
    }
  | {
      readonly kind: "context";
      readonly name: string;
      /** The kubeconfig file that names it; null: the usual ones. */
      readonly kubeconfig: string | null;
    }
  /** No cluster at all, whatever settings and workspace file say. */
  | { readonly kind: "none" };

/** Why a part of a cluster is not known. */
export interface MissingPart {
  /** The part's name: `pods`, `events`, … */
  readonly part: string;
  readonly why: "missing" | "forbidden" | "failed";
}

/** One cluster in use. */
export interface ClusterSummary {
  readonly name: string;
  readonly origin: "live" | "cache" | "file";
  /** Where it comes from, for people: a path, or a context and the file that names it. */
  readonly source: string;
  /** Milliseconds since the epoch; null when nothing in it tells the time. */
  readonly observedAt: number | null;
  readonly nodes: number;
  readonly missing: readonly MissingPart[];
}

export interface ClusterState {
  /** What the user chose; null when settings and workspace file decide. */
  readonly choice: ClusterChoice | null;
  /** Every cluster in use: none, one, or as many as the workspace file maps. */
  readonly clusters: readonly ClusterSummary[];
  /** A source is being read. */
  readonly loading: boolean;
  /** Sources that cannot be used, each a sentence with the place: "nodes.yaml: line 3: …". */
  readonly problems: readonly string[];
  /** A source cannot be used because its credentials may not list nodes. */
  readonly forbidden: boolean;
  /** Minutes after which a cluster counts as stale; 0 means never. */
  readonly staleAfter: number;
}

/** Client → server. Switches the source; null goes back to settings and workspace file. The answer is the state after it was read. */
export const SelectCluster: RequestName<SelectClusterParams, ClusterState> = { method: "taintwise/selectCluster" };
export interface SelectClusterParams {
  readonly choice: ClusterChoice | null;
}

/** Client → server, no parameters: the state now. */
export const GetClusterState: RequestName<NoParams, ClusterState> = { method: "taintwise/clusterState" };

/** Server → client notification: the state after every change. */
export const ClusterStateChanged: NotificationName<ClusterState> = { method: "taintwise/clusterStateChanged" };

/** Client → server, no parameters: the contexts of the kubeconfig, for the choice of a cluster. Contacts nothing. */
export const GetContexts: RequestName<NoParams, ContextChoices> = { method: "taintwise/contexts" };
export interface ContextChoices {
  readonly contexts: readonly ContextChoice[];
  /** What is wrong with the kubeconfig files, and why there are no contexts in an untrusted workspace; each a sentence. */
  readonly problems: readonly string[];
}
export interface ContextChoice {
  readonly name: string;
  /** The file that defines it. */
  readonly kubeconfig: string;
  /** For people: the context and its server. */
  readonly description: string;
  readonly current: boolean;
  /** Why it cannot be used; null when it can. */
  readonly unusable: string | null;
}

/** Scheme of the read-only documents that show a node of a cluster that no file holds: `taintwise-node:/CLUSTER/NODE.yaml`. */
export const NODE_SCHEME = "taintwise-node";

/** Client → server: the text of a document of NODE_SCHEME; a comment where the node is not known any more. */
export const NodeView: RequestName<NodeViewParams, NodeViewText> = { method: "taintwise/nodeView" };
export interface NodeViewParams {
  readonly uri: string;
}
export interface NodeViewText {
  readonly text: string;
}

/** Server → client: may this be done? The person is asked, or has answered before. */
export const AskPermission: RequestName<PermissionQuestion, PermissionAnswer> = { method: "taintwise/askPermission" };
export type PermissionQuestion =
  | {
      readonly kind: "plugin";
      readonly context: string;
      /** The file that names the plugin. */
      readonly kubeconfig: string;
      /** The program and its arguments. */
      readonly command: readonly string[];
      /** `workspace`: file or program lie in the workspace; `unasked`: nobody chose the context since the start. */
      readonly why: "workspace" | "unasked";
    }
  /** Everything sent to this server can be read on the way. */
  | { readonly kind: "plain-http"; readonly context: string; readonly server: string };
export interface PermissionAnswer {
  readonly allowed: boolean;
}

/** Client → server notification, no parameters: the user trusts the workspace now. */
export const TrustGranted: NotificationName<NoParams> = { method: "taintwise/trustGranted" };

/** Client → server, no parameters: what the user can name in a preflight. */
export const GetNodes: RequestName<NoParams, NodeChoices> = { method: "taintwise/nodes" };
export interface NodeChoices {
  readonly nodes: readonly NodeChoice[];
  /** Labels shared by several nodes, as selectors: `pool=rdma`. */
  readonly selectors: readonly SelectorChoice[];
  /** Taints that are in use, in kubectl's notation, the most frequent first. */
  readonly taints: readonly string[];
}
export interface NodeChoice {
  readonly name: string;
  readonly cluster: string;
  readonly taints: readonly string[];
}
export interface SelectorChoice {
  readonly selector: string;
  readonly nodes: number;
}

// ---- reports --------------------------------------------------------------------------------------------------

/** A text for people to read beside the editor. */
export interface Report {
  readonly title: string;
  /** CommonMark with tables; no HTML, no images, no commands. */
  readonly markdown: string;
}

/** Client → server: the report about the workload at a place. */
export const Explain: RequestName<ExplainParams, ExplainResult> = { method: "taintwise/explain" };
export interface ExplainParams {
  readonly uri: string;
  /** null: the file's only workload. */
  readonly position: TextPosition | null;
}
export type ExplainResult =
  | { readonly kind: "report"; readonly report: Report }
  /** The place lies in no workload and the file has several. */
  | { readonly kind: "choose"; readonly workloads: readonly WorkloadChoice[] }
  /** There is nothing to explain; a sentence that says why. */
  | { readonly kind: "none"; readonly reason: string };
export interface WorkloadChoice {
  /** `DaemonSet monitoring/agent`. */
  readonly label: string;
  /** What the code lens says of it; may be empty. */
  readonly detail: string;
  /** The start of its name. */
  readonly position: TextPosition;
}

/** Client → server: what a taint would do to nodes. Changes nothing. */
export const Preflight: RequestName<PreflightParams, PreflightResult> = { method: "taintwise/preflight" };
export interface PreflightParams {
  /** Node names separated by commas, or a label selector: `pool=rdma`. */
  readonly target: string;
  /** As kubectl writes it: `dedicated=rdma:NoSchedule`; with `-` at the end it is taken away. */
  readonly taint: string;
}
export type PreflightResult =
  | { readonly kind: "report"; readonly report: Report; readonly patches: readonly PreflightPatch[] }
  | { readonly kind: "invalid"; readonly field: "target" | "taint" | "cluster"; readonly message: string };
export interface PreflightPatch {
  /** `DaemonSet monitoring/agent: tolerate dedicated=rdma:NoSchedule`. */
  readonly title: string;
  /** The manifest and the edits that make it tolerate the taint; null where no file of the workspace defines the workload. */
  readonly edit: {
    readonly uri: string;
    /** Version of the open document the edits were computed for; null when it is not open. */
    readonly version: number | null;
    readonly edits: readonly { readonly range: TextRange; readonly newText: string }[];
  } | null;
  /** A kubectl command line that does the same to the live object; null when its owner would undo it. */
  readonly command: string | null;
}

/** Client → server: the kubectl command that adds what the workload at a place lacks. */
export const KubectlPatch: RequestName<DocumentPlace, KubectlPatchResult> = { method: "taintwise/kubectlPatch" };
export type KubectlPatchResult =
  | { readonly kind: "patch"; readonly title: string; readonly command: string }
  | { readonly kind: "none"; readonly reason: string };

// ---- checks ---------------------------------------------------------------------------------------------------

/** Client → server, no parameters, can be cancelled: checks every file of the workspace now and publishes what it finds. */
export const CheckWorkspace: RequestName<NoParams, WorkspaceCheck> = { method: "taintwise/checkWorkspace" };
export interface WorkspaceCheck {
  readonly files: number;
  readonly workloads: number;
  readonly errors: number;
  readonly warnings: number;
  readonly information: number;
  readonly hints: number;
  /** Files that hold something of ours but could not be read whole. */
  readonly unreadable: number;
  /** Templates that were left alone. */
  readonly templates: number;
  /** Whether the scan stopped at a limit, so files may be missing. */
  readonly truncated: boolean;
}

/** Server → client notification: what is special about an open document, so that silence is never taken for "clean". */
export const DocumentNote: NotificationName<DocumentNoteParams> = { method: "taintwise/documentNote" };
export interface DocumentNoteParams {
  readonly uri: string;
  /** null: nothing special any more. */
  readonly note: "template" | "conflict" | "too-large" | "excluded" | "record" | "quarantined" | "failed" | null;
  /** A sentence for people; empty with a null note. */
  readonly message: string;
}
