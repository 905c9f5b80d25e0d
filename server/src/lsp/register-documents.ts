// LSP layer: documents as the client opens, changes, saves and closes them.
import type { Connection } from "vscode-languageserver";
import type { Publisher } from "./diagnostics/publisher.ts";
import { syncDocument } from "./documents/analysed.ts";
import type { OpenDocuments } from "./documents/open-documents.ts";
import { uriKey } from "./documents/uri.ts";
import type { Workspace } from "./workspace.ts";

export interface DocumentSurroundings {
  readonly documents: OpenDocuments;
  readonly workspace: () => Workspace;
  /** null before the client introduced itself. */
  readonly publisher: () => Publisher | null;
  /** Whether the client takes a closed document's problems away by itself. */
  readonly pulls: () => boolean;
  /** Hears of every change of a document. */
  readonly onTyped: () => void;
}

/** Keeps the open documents, and the sessions that read them, as the client has them. */
export function registerDocuments(connection: Connection, around: DocumentSurroundings): void {
  const { documents, workspace, publisher } = around;
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    const open = documents.open(uri, languageId, version, text);
    if (open === null) return;
    syncDocument(open, workspace().folderOf(uri));
    publisher()?.opened(open);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const open = documents.change(uri, version, contentChanges);
    if (open === null) return;
    around.onTyped();
    syncDocument(open, workspace().folderOf(uri));
    publisher()?.changed(open);
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const open = documents.get(uri);
    if (open !== null) publisher()?.saved(open);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    if (!documents.close(uri)) return;
    workspace().folderOf(uri).session.removeFile(uriKey(uri));
    if (!around.pulls()) void connection.sendDiagnostics({ uri, diagnostics: [] });
    publisher()?.closed(uri);
  });
}
