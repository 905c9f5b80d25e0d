// LSP layer: what a taint would do, as `taintwise preflight` prints it, with the edits of the manifests that prevent it.
import type { CancellationToken } from "vscode-languageserver";
import type { PreflightParams, PreflightPatch, PreflightResult } from "../../../../shared/src/protocol.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import { fill } from "../../features/fill.ts";
import { addTolerations } from "../../features/fixes/add-toleration.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { readTaintText } from "../../kube/taint-text.ts";
import type { Workload } from "../../kube/workload.ts";
import { reportPreflight } from "../../report/preflight-report.ts";
import { preflightMarkdown } from "../../report/preflight-text.ts";
import { throwIfCancelled } from "../boundary.ts";
import { toEdit } from "../convert/range.ts";
import { allManifests, type ManifestSource } from "../documents/all-manifests.ts";
import type { ManifestText } from "../documents/manifest-text.ts";
import { titleOf } from "./explain.ts";
import { readTarget } from "./preflight-target.ts";

export const messages = {
  noCluster: "No cluster is chosen: what a taint would do is unknown.",
  title: "Preflight {taint}",
  untaint: "Preflight {taint} taken away",
  patch: "{workload}: tolerate {taint}",
} as const;

/** A cluster and the workspace file that it is judged with. */
export interface PreflightCluster {
  readonly cluster: ClusterModel;
  readonly config: WorkspaceConfig;
}

/** Answers for every cluster that has one of the nodes. */
export async function answerPreflight(
  { target, taint: written }: PreflightParams,
  clusters: readonly PreflightCluster[],
  manifests: ManifestSource,
  token: CancellationToken,
): Promise<PreflightResult> {
  if (clusters.length === 0) return { kind: "invalid", field: "cluster", message: messages.noCluster };
  const meant = readTarget(
    target,
    clusters.map(({ cluster }) => cluster),
  );
  if ("problem" in meant) return { kind: "invalid", field: "target", message: meant.problem };
  const read = readTaintText(written.trim());
  if ("problem" in read) return { kind: "invalid", field: "taint", message: read.problem };
  const { taint, removes } = read;
  const reports = clusters
    .filter(({ cluster }) => meant.nodes.some((name) => cluster.nodes.has(name)))
    .map(({ cluster, config }) => reportPreflight(cluster, { taint, remove: removes, nodes: meant.nodes }, config));
  throwIfCancelled(token);
  const commands = new Map<Workload, string>();
  for (const { patches } of reports) for (const { workload, command } of patches) commands.set(workload, command);
  return {
    kind: "report",
    report: {
      title: fill(removes ? messages.untaint : messages.title, { taint: formatTaint(taint) }),
      markdown: reports.map(preflightMarkdown).join("\n"),
    },
    patches: await patchesOf(commands, { ...taint, timeAdded: null }, manifests, token),
  };
}

/** One patch for each manifest of a workload; the command alone where no file defines it. */
async function patchesOf(
  commands: ReadonlyMap<Workload, string>,
  taint: Taint,
  manifests: ManifestSource,
  token: CancellationToken,
): Promise<readonly PreflightPatch[]> {
  const edits = new Map<Workload, NonNullable<PreflightPatch["edit"]>[]>();
  const wanted = new Set([...commands.keys()].map(({ kind, name }) => `${kind}/${name}`));
  const passes = ({ kind, name }: { readonly kind: string; readonly name: string | null }): boolean =>
    wanted.has(`${kind}/${name}`);
  if (wanted.size > 0) {
    for await (const manifest of allManifests(manifests, passes, token)) {
      for (const workload of commands.keys()) {
        edits.set(workload, [...(edits.get(workload) ?? []), ...editsIn(manifest, workload, taint)]);
      }
    }
  }
  return [...commands].flatMap(([workload, command]): readonly PreflightPatch[] => {
    const title = fill(messages.patch, { workload: titleOf({ workload }), taint: formatTaint(taint) });
    const found = edits.get(workload) ?? [];
    return found.length === 0 ? [{ title, edit: null, command }] : found.map((edit) => ({ title, edit, command }));
  });
}

/** The edits of the manifests of a live workload in one file. */
function editsIn(
  { file, uri, version, lines }: ManifestText,
  live: Workload,
  taint: Taint,
): readonly NonNullable<PreflightPatch["edit"]>[] {
  return file.documents.flatMap((document) =>
    document.workloads.flatMap((item) => {
      if (!isManifestOf(item.workload, live)) return [];
      const edits = addTolerations({ file, document, item }, [taint]);
      if (edits === null) return [];
      return [{ uri, version, edits: edits.map((edit) => toEdit(edit, lines)) }];
    }),
  );
}

/** Without a namespace a manifest may be of any; then the selectors must agree. */
function isManifestOf(manifest: Workload, live: Workload): boolean {
  if (manifest.kind !== live.kind || manifest.group !== live.group || manifest.name !== live.name) return false;
  return manifest.namespace === null ? manifest.selector === live.selector : manifest.namespace === live.namespace;
}
