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
  /** Why the document is left alone: then it is not read, and nothing is said of it. null: it is not. */
  readonly leftAlone: LeftAlone | null;
}

export type LeftAlone =
  /** Settings exclude it, or a cluster is read from it. */
  | "excluded"
  /** It holds the marks of a merge conflict. */
  | "conflict"
  /** The process ended again and again while it was at hand. */
  | "quarantined"
  /** Reading it would take longer than anybody waits. */
  | "too-large";

/** UTF-16 units above which a text is not read: some seconds of parsing, were it all of ours. */
const LARGEST_TEXT = 4 * 1024 * 1024;

/** Why a text is left alone, by what it holds. */
export function leftAloneFor(text: string): "conflict" | "too-large" | null {
  if (text.length > LARGEST_TEXT) return "too-large";
  return text.includes("<<<<<<< ") && /^<{7} /m.test(text) && /^>{7} /m.test(text) ? "conflict" : null;
}

/** Puts the document's text into its folder's session, where it is not left alone for good. */
export function syncDocument(open: OpenDocument, folder: WorkspaceFolder): void {
  const { document } = open;
  if (folder.quarantine.holds(document.uri)) return;
  const path = pathOf(document.uri);
  folder.session.setFile(uriKey(document.uri), { text: document.getText(), facts: folder.factsOf(path, document.uri) });
}

function leftAloneIn(folder: WorkspaceFolder, uri: string, path: string | null): "excluded" | "quarantined" | null {
  if (path !== null && folder.excludes(path)) return "excluded";
  return folder.quarantine.holds(uri) ? "quarantined" : null;
}

/** Reads the document's results out of one snapshot of its folder. */
export function analyse(open: OpenDocument, folder: WorkspaceFolder): AnalysedDocument {
  const { document } = open;
  const { uri, version } = document;
  const path = pathOf(uri);
  const text = document.getText();
  const common = {
    uri,
    version,
    text,
    lines: lineIndex(text),
    folder,
    path: path === null ? uri : folder.relative(path),
  };
  const leftAlone = leftAloneIn(folder, uri, path) ?? leftAloneFor(text);
  if (leftAlone !== null) {
    return { ...common, file: { text, documents: [], template: false }, diagnostics: [], leftAlone };
  }
  const key = uriKey(uri);
  if (folder.session.snapshot.files.get(key)?.text !== text) syncDocument(open, folder);
  const { snapshot } = folder.session;
  const file = snapshot.manifest(key) ?? { text, documents: [], template: false };
  return { ...common, file, diagnostics: snapshot.diagnoses(key) ?? [], leftAlone };
}
