// LSP layer: files that change on the disk: manifests, cluster files, and what decides how they are read.
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  WatchKind,
} from "vscode-languageserver";
import { isManifestName } from "../analysis/file-walk.ts";
import { isKustomizationName } from "../analysis/kustomizations.ts";
import type { ClusterPool } from "./clusters/cluster-pool.ts";
import type { Publisher } from "./diagnostics/publisher.ts";
import { pathOf } from "./documents/uri.ts";
import type { Workspace } from "./workspace.ts";

/** Asks the client to watch, where it lets itself be asked. */
export async function watchFiles(connection: Connection): Promise<void> {
  await connection.client.register(DidChangeWatchedFilesNotification.type, {
    watchers: [
      { globPattern: "**/*.{yaml,yml,json}" },
      { globPattern: "**/Kustomization" },
      { globPattern: "**/.gitignore" },
      // A folder that goes takes its files along in one event of its own.
      { globPattern: "**", kind: WatchKind.Delete },
    ],
  });
}

export interface WatchedSurroundings {
  readonly workspace: Workspace;
  readonly pool: ClusterPool;
  /** null before the client introduced itself. */
  readonly publisher: Publisher | null;
  /** Hears that a workspace file is another one than before. */
  readonly onConfigChanged: () => Promise<void>;
}

/** Takes one change in; resolves when what is read anew because of it was read. */
export async function takeFileChange({ uri, type }: FileEvent, around: WatchedSurroundings): Promise<void> {
  const { workspace, pool, publisher } = around;
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  const folder = workspace.folderOf(uri);
  const path = pathOf(uri);
  if (folder.isWorkspaceFile(uri)) {
    publisher?.fileChanged(uri);
    if (folder.readWorkspaceFile()) await around.onConfigChanged();
    return;
  }
  for (const source of workspace.sources) {
    if (source.kind !== "file" || path === null) continue;
    if (path === source.path || path.startsWith(`${source.path}/`)) await pool.refresh(source);
  }
  if (isKustomizationName(name)) folder.forgetKustomizations();
  if (name === ".gitignore") return publisher?.checkInBackground();
  // A folder may be named like a file; which of the two is gone nobody can tell any more.
  if (type === FileChangeType.Deleted) publisher?.folderDeleted(uri);
  if (type !== FileChangeType.Deleted || isManifestName(name)) publisher?.fileChanged(uri);
}
