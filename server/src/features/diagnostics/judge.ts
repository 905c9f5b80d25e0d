// Features layer: a workload held against the clusters its file belongs to, once for all rules.
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import { autoscalerSigns } from "../../coverage/autoscaler.ts";
import { type CoverageMemo, createCoverageMemo } from "../../coverage/coverage-memo.ts";
import type { Hosting, NodeHost } from "../../coverage/hosting.ts";
import { poolNode, type TableNode } from "../../coverage/node-table.ts";
import type { CoverageClass, WorkloadCoverage } from "../../coverage/workload-coverage.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { Workload } from "../../kube/workload.ts";
import {
  type AdmissionChange,
  type AdmissionEvidence,
  admissionChanges,
  gatherAdmissionEvidence,
} from "../../scheduling/admission.ts";
import type { Placement, SchedulingOptions } from "../../scheduling/verdict.ts";
import { type ClusterSigns, clusterSignsReader } from "./device-signs.ts";

/** What rules read of a node, or of a declared pool's empty node. */
export type NodeFacts = Pick<TableNode, "name" | "labels" | "taints" | "allocatable">;

/** Nodes that look alike to the workload, and its placement on each of them. */
export interface JudgedGroup {
  /** Names; a declared pool stands as `(pool name)`. */
  readonly nodes: readonly string[];
  readonly placement: Placement;
  readonly hosting: Hosting;
  readonly host: NodeHost;
}

/** One cluster as one workload sees it. What is costly is a function, for rules that need it. */
export interface JudgedCluster {
  readonly model: ClusterModel;
  readonly coverage: WorkloadCoverage;
  /** Nodes and declared pools in groups; empty when the model has none. */
  readonly groups: () => readonly JudgedGroup[];
  /** Those of them that taints keep the workload from, though it is meant for them and they could host it. */
  readonly blocked: () => readonly JudgedGroup[];
  readonly node: (name: string) => NodeFacts | null;
  /** What admission adds to the workload's pods; the DaemonSet controller does not know of it. */
  readonly admission: () => readonly AdmissionChange[];
  /** What shows an autoscaler at work; empty when nothing does. */
  readonly autoscalers: () => readonly string[];
  /** Every label key of the cluster's nodes, sorted, then those of its pools. */
  readonly labelKeys: () => readonly string[];
  /** Every taint of them, once each, soft ones included. */
  readonly taints: () => readonly Taint[];
}

/** What is worth keeping between two calls; whoever asks about many files holds one. */
export interface JudgeMemo {
  readonly coverage: CoverageMemo;
  readonly evidence: (model: ClusterModel) => AdmissionEvidence;
  readonly autoscalers: (model: ClusterModel) => readonly string[];
  readonly labelKeys: (model: ClusterModel) => readonly string[];
  readonly taints: (model: ClusterModel) => readonly Taint[];
  readonly deviceSigns: (model: ClusterModel) => ClusterSigns;
}

function distinctTaints(nodes: Iterable<Pick<TableNode, "taints">>): readonly Taint[] {
  const taints = new Map<string, Taint>();
  for (const node of nodes) for (const taint of node.taints) taints.set(formatTaint(taint), taint);
  return [...taints.values()];
}

/** A memory that keeps nothing alive longer than the models it is about. */
export function createJudgeMemo(): JudgeMemo {
  return {
    coverage: createCoverageMemo(),
    evidence: perModel(gatherAdmissionEvidence),
    autoscalers: perModel(autoscalerSigns),
    deviceSigns: perModel(clusterSignsReader()),
    taints: perModel(({ nodes }) => distinctTaints(nodes.values())),
    labelKeys: perModel(({ nodes }) =>
      [...new Set([...nodes.values()].flatMap(({ labels }) => Object.keys(labels)))].sort(),
    ),
  };
}

function perModel<T>(make: (model: ClusterModel) => T): (model: ClusterModel) => T {
  const known = new WeakMap<ClusterModel, { readonly value: T }>();
  return (model) => {
    const found = known.get(model) ?? { value: make(model) };
    known.set(model, found);
    return found.value;
  };
}

/** The control plane that the workspace file describes; a cluster that tells its version overrides it. */
export function schedulingOf(config: WorkspaceConfig, model: ClusterModel | null): SchedulingOptions {
  const told = /^v?1\.(\d+)/.exec(model?.serverVersion ?? "")?.[1];
  const { comparisonOperators, minorVersion } = config.kubernetes;
  return { comparisonOperators, minorVersion: told === undefined ? minorVersion : Number(told) };
}

/** Judges one workload against one cluster. */
export function judgeWorkload(
  workload: Workload,
  model: ClusterModel,
  config: WorkspaceConfig,
  memo: JudgeMemo,
): JudgedCluster {
  const pools = config.pools.filter((pool) => pool.clusters.length === 0 || pool.clusters.includes(model.name));
  const index = memo.coverage.indexOf(model, { scheduling: schedulingOf(config, model), pools });
  const coverage = index.coverage(workload);
  const namespace = workload.namespace ?? liveNamespace(coverage);
  const poolNodes = once(() => new Map(pools.map(poolNode).map((node) => [node.name, node])));
  return {
    model,
    coverage,
    groups: once(() => coverage.classes.map(groupOf)),
    blocked: once(() => coverage.gaps.map(groupOf)),
    node: (name) => model.nodes.get(name) ?? poolNodes().get(name) ?? null,
    admission: once(() => admissionChanges(workload.template, namespace, model, memo.evidence(model))),
    autoscalers: () => memo.autoscalers(model),
    taints: () => [...memo.taints(model), ...distinctTaints(pools)],
    labelKeys: () => [...memo.labelKeys(model), ...pools.flatMap((pool) => Object.keys(pool.labels))],
  };
}

/** The namespace of the live object, where the manifest names none. */
export function liveNamespace({ live }: WorkloadCoverage): string | null {
  return live.state === "matched" ? live.workload.namespace : null;
}

/** Names and placement are gathered when a rule asks for them. */
function groupOf(entry: CoverageClass): JudgedGroup {
  const { hosting, host } = entry;
  const nodes = once(() =>
    entry.pools.length === 0 ? entry.nodes : [...entry.nodes, ...entry.pools.map((pool) => `(pool ${pool})`)],
  );
  return {
    get nodes() {
      return nodes();
    },
    get placement() {
      return entry.placement;
    },
    hosting,
    host,
  };
}

/** The function's value, made when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
