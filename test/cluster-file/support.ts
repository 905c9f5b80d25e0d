// What the tests of cluster files share: fixtures, and a cluster in a few words a person can read.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ClusterReading, readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { formatClusterProblem } from "../../server/src/cluster/problem.ts";
import { formatTaint } from "../../server/src/kube/taint.ts";
import { formatTime } from "../../server/src/kube/time.ts";
import { formatRef, workloadRef } from "../../server/src/kube/workload.ts";

/** Absolute path of a fixture. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

export function fixture(name: string): string {
  return readFileSync(fixturePath(name), "utf8");
}

/** Reads one file of that text or bytes, named `dump.yaml`. */
export function read(source: string | Uint8Array, path = "dump.yaml", now: number | null = null): ClusterReading {
  const bytes = typeof source === "string" ? Buffer.from(source) : source;
  return readClusterFiles([{ path, bytes, named: true }], { name: null, now });
}

/** The lines that a person would see for the problems. */
export function problemLines({ problems }: ClusterReading): readonly string[] {
  return problems.map((problem) => `${problem.severity}: ${formatClusterProblem(problem)}`);
}

/** A cluster in a few lines. */
export function summary(model: ClusterModel): readonly string[] {
  const missing = Object.entries(model.parts).filter(([, state]) => state !== "known");
  return [
    `${model.name} (${model.origin}) at ${model.observedAt === null ? "?" : formatTime(model.observedAt)}`,
    ...[...model.nodes.values()].map((node) => `Node/${node.name} ${node.taints.map(formatTaint).join(" ")}`.trimEnd()),
    ...model.workloads.map((workload) => formatRef(workloadRef(workload))),
    ...model.pods.map((pod) => `Pod/${pod.namespace}/${pod.name} ${pod.phase} on ${pod.spec.nodeName || "no node"}`),
    ...model.events.map((event) => `${event.reason} ×${event.count} of ${event.involved.kind}/${event.involved.name}`),
    ...[...model.csiDrivers.keys()].map((name) => `CSIDriver/${name}`),
    ...(model.autoscaler.signs.length === 0 ? [] : [`autoscaler: ${model.autoscaler.signs.join(", ")}`]),
    `not known: ${missing.map(([part, state]) => (state === "missing" ? part : `${part} (${state})`)).join(", ")}`,
  ];
}

/** The model without what tells where it was read. */
export function withoutPlaces(model: ClusterModel): ClusterModel {
  return {
    ...model,
    nodes: new Map([...model.nodes].map(([name, node]) => [name, { ...node, place: null }])),
  };
}
