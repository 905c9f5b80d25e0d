// Report layer: what every JSON output has in common (docs/json.md).
import { CLUSTER_PARTS, type ClusterModel, type ClusterOrigin, type ClusterPart } from "../cluster/model.ts";
import type { ObjectRef } from "../kube/workload.ts";
import { escapedJson } from "./printable.ts";
import { isoTime } from "./time.ts";

/** Version of the shapes; raised only when a field changes its meaning or goes. */
const JSON_VERSION = 1;

export interface ClusterJson {
  readonly name: string;
  readonly origin: ClusterOrigin;
  /** RFC 3339; null when the file carries no time. */
  readonly observedAt: string | null;
  /** How many nodes are known. */
  readonly nodes: number;
  /** Parts that are not known, and therefore not judged. */
  readonly missing: readonly ClusterPart[];
}

export interface CommonJson {
  readonly version: number;
  readonly clusters: readonly ClusterJson[];
}

/** The common part of an output over these clusters. */
export function commonJson(clusters: readonly ClusterModel[]): CommonJson {
  return { version: JSON_VERSION, clusters: clusters.map(clusterJson) };
}

function clusterJson(cluster: ClusterModel): ClusterJson {
  return {
    name: cluster.name,
    origin: cluster.origin,
    observedAt: isoTime(cluster.observedAt),
    nodes: cluster.nodes.size,
    missing: CLUSTER_PARTS.filter((part) => cluster.parts[part] !== "known"),
  };
}

/** An object reference as outputs write it: exactly these keys. */
export function refJson(ref: ObjectRef): ObjectRef {
  return { kind: ref.kind, namespace: ref.namespace, name: ref.name };
}

/** The text of a JSON output, indented by two, with a final line break. */
export function jsonText(value: CommonJson): string {
  return `${escapedJson(JSON.stringify(value, null, 2))}\n`;
}
