// LSP layer: manifests by their text, open in the editor or read from the disk when an answer needs them.
import { readFile } from "node:fs/promises";
import { clustersOfFile } from "../../features/diagnostics/diagnose.ts";
import type { JudgeMemo } from "../../features/diagnostics/judge.ts";
import type { EditorContext } from "../../features/editor/context.ts";
import { type LineIndex, lineIndex } from "../../text/line-index.ts";
import type { ManifestFile } from "../../workload/manifest.ts";
import { readManifest } from "../../workload/read.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import type { AnalysedDocument } from "./analysed.ts";
import { uriOf } from "./uri.ts";

/** A manifest that edits and places can be made for. */
export interface ManifestText {
  readonly uri: string;
  /** null when it is not open. */
  readonly version: number | null;
  readonly lines: LineIndex;
  readonly file: ManifestFile;
  readonly folder: WorkspaceFolder;
  /** Relative to the folder, with `/`. */
  readonly path: string;
}

/** The open document as it is now. */
export function openManifest({ uri, version, lines, file, folder, path }: AnalysedDocument): ManifestText {
  return { uri, version, lines, file, folder, path };
}

/** A file as it lies on the disk; null when it is gone. `path` is absolute. */
export async function manifestOnDisk(path: string, folder: WorkspaceFolder): Promise<ManifestText | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    // Deleted since the workspace was looked through: there is nothing to answer about it.
    return null;
  }
  const { inChart, path: relative } = folder.factsOf(path, path);
  const file = readManifest(text, { path, inChart });
  return { uri: uriOf(path), version: null, lines: lineIndex(text), file, folder, path: relative };
}

/** The features' view of a manifest. */
export function contextOf({ file, folder, path }: ManifestText, memo: JudgeMemo): EditorContext {
  const { clusters, config } = folder.session.snapshot;
  return { file, clusters: clustersOfFile(path, clusters, config), config, memo };
}
