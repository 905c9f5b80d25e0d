// LSP layer: the manifests of the workspace that define a live workload.
import type { CancellationToken } from "vscode-languageserver";
import type { WorkloadFile } from "../../../../shared/src/explorer.ts";
import { tolerationsPath } from "../../features/diagnostics/written.ts";
import type { Workload } from "../../kube/workload.ts";
import { nodeAt } from "../../yaml/locate.ts";
import { toRange } from "../convert/range.ts";
import { allManifests, type ManifestSource } from "../documents/all-manifests.ts";

/** By kind, namespace and name; a manifest without a namespace may be of any. Those that name the namespace come first. */
export async function workloadFiles(
  live: Pick<Workload, "kind" | "namespace" | "name">,
  manifests: ManifestSource,
  token: CancellationToken,
): Promise<readonly WorkloadFile[]> {
  const named: WorkloadFile[] = [];
  const maybe: WorkloadFile[] = [];
  const passes = (one: { readonly kind: string; readonly name: string | null }) =>
    one.kind === live.kind && one.name === live.name;
  for await (const { uri, lines, file, path } of allManifests(manifests, passes, token)) {
    for (const item of file.documents.flatMap((document) => document.workloads)) {
      const { namespace } = item.workload;
      if (!passes(item.workload) || (namespace !== null && namespace !== live.namespace)) continue;
      const { start } = toRange(item.nameSpan, lines);
      const field = nodeAt(item.object, tolerationsPath(item))?.span ?? item.nameSpan;
      const found = {
        label: `${path}:${start.line + 1}`,
        place: { uri, position: start },
        range: toRange(field, lines),
      };
      (namespace === null ? maybe : named).push(found);
    }
  }
  return [...named, ...maybe];
}
