// LSP layer: every manifest of the workspace that holds workloads, for answers that look beyond one document.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CancellationToken } from "vscode-languageserver";
import { throwIfCancelled } from "../boundary.ts";
import type { CheckedFile, FiledWorkload } from "../diagnostics/background-check.ts";
import type { Workspace } from "../workspace.ts";
import type { AnalysedDocument } from "./analysed.ts";
import { type ManifestText, manifestOnDisk, openManifest } from "./manifest-text.ts";
import { uriKey } from "./uri.ts";

export interface ManifestSource {
  readonly workspace: Workspace;
  readonly open: readonly AnalysedDocument[];
  /** What the background check found; files that it has not reached yet are not looked at. */
  readonly files: Iterable<CheckedFile>;
}

/** Milliseconds a slice may take before other work gets its turn. */
const SLICE = 12;

/**
 * Open documents first, then files of the disk of which some workload passes. Lets other work run in between; throws
 * Cancelled when nobody waits any more.
 */
export async function* allManifests(
  { workspace, open, files }: ManifestSource,
  passes: (workload: FiledWorkload) => boolean,
  token: CancellationToken,
): AsyncGenerator<ManifestText, void, undefined> {
  const opened = new Set(open.map(({ uri }) => uriKey(uri)));
  for (const document of open) if (document.leftAlone === null) yield openManifest(document);
  let started = performance.now();
  for (const { uri, path, workloads } of files) {
    if (opened.has(uriKey(uri)) || !workloads.some(passes)) continue;
    if (performance.now() - started > SLICE) {
      await nextTurn();
      started = performance.now();
    }
    throwIfCancelled(token);
    const manifest = await manifestOnDisk(path, workspace.folderOf(uri));
    if (manifest !== null) yield manifest;
  }
}
