// Report layer: `nodes` as JSON (docs/json.md).
import type { ClusterModel } from "../cluster/model.ts";
import { type CommonJson, commonJson } from "./document.ts";
import type { NodeRow } from "./nodes-report.ts";

export interface NodesJson extends CommonJson {
  readonly nodes: readonly NodeRow[];
}

/** The JSON of a node list. */
export function nodesJson(clusters: readonly ClusterModel[], rows: readonly NodeRow[]): NodesJson {
  return { ...commonJson(clusters), nodes: rows };
}
