// LSP layer: a document with everything a request reads of it, from one moment.
import type { Diagnostic } from "../../features/diagnostic.ts";
import { type LineIndex, lineIndex } from "../../text/line-index.ts";
import type { ManifestFile } from "../../workload/manifest.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import type { OpenDocument } from "./open-documents.ts";
import { pathOf, uriKey } from "./uri.ts";

export interface AnalysedDocument {
  /** The client's spelling. */
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly lines: LineIndex;
  readonly file: ManifestFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly folder: WorkspaceFolder;
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Whether settings leave the document alone: then nothing is said of it. */
  readonly excluded: boolean;
}

/** Puts the document's text into its folder's session. */
export function syncDocument(open: OpenDocument, folder: WorkspaceFolder): void {
  const { document } = open;
  const path = pathOf(document.uri);
  folder.session.setFile(uriKey(document.uri), { text: document.getText(), facts: folder.factsOf(path, document.uri) });
}

/** Reads the document's results out of one snapshot of its folder. */
export function analyse(open: OpenDocument, folder: WorkspaceFolder): AnalysedDocument {
  const { document } = open;
  const key = uriKey(document.uri);
  const path = pathOf(document.uri);
  if (folder.session.snapshot.files.get(key)?.text !== document.getText()) syncDocument(open, folder);
  const { snapshot } = folder.session;
  const text = document.getText();
  const excluded = path !== null && folder.excludes(path);
  return {
    uri: document.uri,
    version: document.version,
    text,
    lines: lineIndex(text),
    file: snapshot.manifest(key) ?? { text, documents: [], template: false },
    diagnostics: excluded ? [] : (snapshot.diagnoses(key) ?? []),
    folder,
    path: path === null ? document.uri : folder.relative(path),
    excluded,
  };
}
