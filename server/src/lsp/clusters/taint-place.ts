// LSP layer: a node's taint as a place that the client can open: in the cluster file, or in a view of the node.
import type { Location } from "vscode-languageserver";
import { taintSpan } from "../../cluster/file/node-place.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import type { TaintPlace } from "../../features/editor/definition.ts";
import { nodeView } from "../../features/editor/node-view.ts";
import { lineIndex } from "../../text/line-index.ts";
import { toRange } from "../convert/range.ts";
import type { Elsewhere } from "../diagnostics/elsewhere.ts";
import { nodeUri } from "./node-documents.ts";

export interface TaintPlaces {
  readonly elsewhere: Elsewhere;
  readonly clusters: readonly ClusterModel[];
  /** Whether the client can open views of nodes. */
  readonly nodeViews: boolean;
}

/** Finds the taint in its file; else in the view of its node; null where the client can be shown neither. */
export function taintLocation(place: TaintPlace, { elsewhere, clusters, nodeViews }: TaintPlaces): Location | null {
  const { node, taint } = place;
  if (place.place !== null) {
    const { path, offset } = place.place;
    const found = elsewhere.of({ path, span: { start: offset, end: offset }, message: "", taint: { node, taint } });
    if (found !== null) return found;
  }
  const cluster = clusters.find(({ name }) => name === place.cluster);
  const known = cluster?.nodes.get(node);
  if (!nodeViews || cluster === undefined || known === undefined) return null;
  const text = nodeView(cluster, known);
  const span = taintSpan(text, { name: node, place: { path: "", offset: text.indexOf("\n") + 1 } }, taint);
  const range = toRange(span ?? { start: 0, end: 0 }, lineIndex(text));
  return { uri: nodeUri(cluster.name, node), range };
}
