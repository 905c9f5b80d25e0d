// LSP layer: what stands under the cursor in a file that a cluster was read from: a node's name, or one of its taints.
import { nodeNameSpan, taintSpan } from "../../cluster/file/node-place.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { type ConcernSubject, nodeBefore } from "../../features/editor/references.ts";
import type { Span } from "../../text/span.ts";

/** The subject at a UTF-16 offset of the dump at `path`; null where it is neither. */
export function dumpSubject(
  clusters: readonly ClusterModel[],
  path: string,
  text: string,
  offset: number,
): ConcernSubject | null {
  const found = nodeBefore(clusters, path, offset);
  const node = clusters.find((cluster) => cluster.name === found?.cluster)?.nodes.get(found?.node ?? "");
  if (found === null || node === undefined) return null;
  const holds = (span: Span | null): boolean => span !== null && span.start <= offset && offset <= span.end;
  const taint = node.taints.find((each) => holds(taintSpan(text, node, each)));
  if (taint !== undefined) return { kind: "taints", taints: [taint] };
  return holds(nodeNameSpan(text, node)) ? { kind: "node", ...found } : null;
}
