// Command-line layer: manifests read and judged one after the other, for every command that starts from files.

import { dirname } from "node:path";
import { ChartFolders } from "../../analysis/chart-folders.ts";
import type { FileFacts } from "../../analysis/engine.ts";
import { type JudgedText, Session, type Snapshot } from "../../analysis/session.ts";
import type { Diagnostic } from "../../features/diagnostic.ts";
import { diagnosticEngine } from "../../features/engine.ts";
import type { Host } from "../host.ts";
import { reasonOf, Unusable } from "../unusable.ts";
import type { ClusterSources } from "./clusters.ts";
import { type ManifestSource, manifestSources, readManifestText } from "./manifests.ts";
import { patchedFiles } from "./patched-files.ts";
import { decodeText, FileReader } from "./text-file.ts";
import { pathInWorkspace, type Workspace, type Workspaces } from "./workspace.ts";

/** A manifest that was read and judged, and how. */
export interface CheckedManifest extends JudgedText<Diagnostic> {
  readonly source: ManifestSource;
  readonly text: string;
  readonly encoding: "utf8" | "utf16le";
  readonly facts: FileFacts;
  readonly workspace: Workspace;
  readonly snapshot: Snapshot<Diagnostic>;
}

export interface Checking {
  readonly operands: readonly string[];
  readonly workspaces: Workspaces;
  readonly clusters: ClusterSources;
  /** Hears of files and folders in a walk that could not be read; `binary` ones may be no manifests at all. */
  readonly onUnreadable: (path: string, reason: string, binary: boolean) => void;
}

/**
 * Reads and judges every manifest behind the operands. Each text is dropped when the caller asks for the next file.
 * Throws Unusable when a file that was named is no text, or the clusters of a workspace file cannot be read.
 */
export async function* checkManifests(
  checking: Checking,
  host: Host,
): AsyncGenerator<CheckedManifest, void, undefined> {
  const sessions = new Map<Workspace, Session<Diagnostic>>();
  const charts = new ChartFolders();
  const reader = new FileReader();
  let patched: ((path: string) => boolean) | null = null;
  const dumps = checking.clusters.files(checking.workspaces.of(host.cwd));
  const sources = manifestSources(checking.operands, host.cwd, checking.workspaces, dumps, (path, reason) =>
    checking.onUnreadable(path, reason, false),
  );
  for (const source of sources) {
    const read = source.file === null ? decodeText(await host.readStdin()) : readManifestText(source.file, reader);
    if (read.text === null) {
      if (source.named) throw new Unusable(`${source.path}: the file ${read.problem}.`);
      checking.onUnreadable(source.path, read.problem, read.binary);
      continue;
    }
    const { text, encoding } = read;
    const workspace = checking.workspaces.of(source.file === null ? host.cwd : dirname(source.file));
    let session = sessions.get(workspace);
    if (session === undefined) {
      const { clusters, config } = await checking.clusters.of(workspace);
      // The walk has left out what is excluded; a file that was named is judged all the same.
      session = new Session(diagnosticEngine(), { clusters, config: { ...config, exclude: [] } });
      sessions.set(workspace, session);
    }
    const { snapshot } = session;
    // Only what a cluster says of a file is lowered, so without one there is nothing to look for.
    if (snapshot.clusters.length > 0) patched ??= patchedFiles(checking.operands, host.cwd, checking.workspaces);
    const facts = factsOf(source, workspace, charts, patched);
    const judged = judgeOne(snapshot, text, facts);
    if (judged instanceof Error) {
      checking.onUnreadable(source.path, `${reasonOf(judged)} (a defect of Taintwise; please report it)`, false);
    } else yield { source, text, ...judged, encoding, facts, workspace, snapshot };
  }
}

/** A defect that one file shows must not lose the answers about the others. */
function judgeOne(snapshot: Snapshot<Diagnostic>, text: string, facts: FileFacts): JudgedText<Diagnostic> | Error {
  try {
    return snapshot.judge(text, facts);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function factsOf(
  { file, path, named }: ManifestSource,
  workspace: Workspace,
  charts: ChartFolders,
  patched: ((path: string) => boolean) | null,
): FileFacts {
  return {
    path: file === null ? path : pathInWorkspace(workspace, file),
    location: file ?? path,
    inChart: file === null ? null : charts.holds(file),
    rendered: file !== null && patched?.(file) === true,
    named,
  };
}
