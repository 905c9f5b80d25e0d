// Config layer: what the workspace file `taintwise.yaml` can say, as plain data with defaults.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import type { Taint } from "../kube/taint.ts";
import type { NamePattern, TaintPattern, WorkloadPattern } from "./pattern.ts";

/** Names that people write for a role; the same words as coverage/role.ts (a test holds them together). */
export const ROLE_NAMES = [
  "network plugin",
  "CSI node driver",
  "device plugin",
  "exporter",
  "log agent",
  "local-storage provisioner",
  "kube-proxy",
  "node agent",
  "application",
] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** Says what a workload is, where its structure does not show it. The first rule that matches counts. */
export interface RoleRule {
  readonly workload: WorkloadPattern;
  readonly role: RoleName;
}

/** Gaps that are meant to be: every condition that is set must hold. At least one is set. */
export interface ExpectedGap {
  readonly workload: WorkloadPattern | null;
  readonly role: RoleName | null;
  readonly taint: TaintPattern | null;
  readonly nodes: readonly NamePattern[];
  readonly clusters: readonly string[];
  /** For people. */
  readonly reason: string;
}

/** A kind of node that an autoscaler can make; counts as one empty node that is there. */
export interface DeclaredPool {
  readonly name: string;
  /** Names of the clusters that have it; empty means every cluster. */
  readonly clusters: readonly string[];
  /** `kubernetes.io/os` and `kubernetes.io/arch` are among them when `os` and `arch` are given. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Quantities as written, by resource name; null when not given (unknown, never short). */
  readonly allocatable: Readonly<Record<string, string>> | null;
}

/** A cluster by the name that path mappings use, and where its model comes from. */
export interface ClusterSource {
  readonly name: string;
  /** A file or folder, relative to the workspace file; null when it is a context. */
  readonly file: string | null;
  /** A kubeconfig context; null when it is a file. */
  readonly context: string | null;
}

/** Manifests under one of the globs belong to these clusters. */
export interface PathMapping {
  /** Globs relative to the workspace file's folder. */
  readonly paths: readonly string[];
  readonly clusters: readonly string[];
}

export type SeveritySetting = Severity | "off";
export type SeveritySettings = Readonly<Partial<Record<DiagnosticCode, SeveritySetting>>>;

export interface WorkspaceConfig {
  readonly clusters: readonly ClusterSource[];
  /** Empty: every manifest belongs to every cluster. Otherwise files outside get no cluster verdict. */
  readonly paths: readonly PathMapping[];
  readonly pools: readonly DeclaredPool[];
  readonly roles: readonly RoleRule[];
  readonly expected: readonly ExpectedGap[];
  /** Taints that never make a diagnostic. */
  readonly ignoredTaints: readonly TaintPattern[];
  /** Taints that go by themselves, beside the built-in ones. */
  readonly transientTaints: readonly TaintPattern[];
  /** Globs of files that are left alone. */
  readonly exclude: readonly string[];
  readonly severity: SeveritySettings;
  /** The control plane that is modelled where the cluster does not say. */
  readonly kubernetes: {
    readonly minorVersion: number;
    readonly comparisonOperators: boolean;
  };
}

export const DEFAULT_CONFIG: WorkspaceConfig = {
  clusters: [],
  paths: [],
  pools: [],
  roles: [],
  expected: [],
  ignoredTaints: [],
  transientTaints: [],
  exclude: [],
  severity: {},
  kubernetes: { minorVersion: 37, comparisonOperators: false },
};

/** The workspace file's name, in every message and search. */
export const WORKSPACE_FILE = "taintwise.yaml";
