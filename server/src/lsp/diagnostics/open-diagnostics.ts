// LSP layer: the problems of open documents, and the notes on those of which silence would be taken for "clean".
import type { Connection, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
import { DocumentNote, type DocumentNoteParams } from "../../../../shared/src/protocol.ts";
import { describeError, type ServerLog } from "../boundary.ts";
import { toProtocolDiagnostic } from "../convert/diagnostic.ts";
import { type AnalysedDocument, analyse } from "../documents/analysed.ts";
import type { OpenDocument } from "../documents/open-documents.ts";
import { uriKey } from "../documents/uri.ts";
import type { Workspace } from "../workspace.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { limited } from "./limit.ts";
import { leftAloneNotice, noteOf } from "./note.ts";
import { workspaceFileDiagnostics } from "./workspace-file.ts";

/** A document whose reading threw this often is left alone for the session. */
const FAILURES = 2;

export interface OpenDiagnosticsOptions {
  readonly connection: Connection;
  readonly workspace: () => Workspace;
  readonly elsewhere: Elsewhere;
  readonly log: ServerLog;
}

/** Judges on demand; keeps only what must not be said twice. */
export class OpenDiagnostics {
  readonly #options: OpenDiagnosticsOptions;
  /** What the client was told last, by normal form of the URI. */
  readonly #notes = new Map<string, string>();
  readonly #failures = new Map<string, number>();

  constructor(options: OpenDiagnosticsOptions) {
    this.#options = options;
  }

  /** The problems of an open document; a reading that throws costs this document its results, not the server its life. */
  of(open: OpenDocument): ProtocolDiagnostic[] {
    const { uri } = open.document;
    const key = uriKey(uri);
    if ((this.#failures.get(key) ?? 0) >= FAILURES) return [];
    try {
      const folder = this.#options.workspace().folderOf(uri);
      if (folder.isWorkspaceFile(uri)) return workspaceFileDiagnostics(open.document.getText());
      const document = analyse(open, folder);
      this.#note(uri, noteOf(document));
      return [...leftAloneNotice(document), ...this.#convert(document)];
    } catch (error) {
      this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
      this.#options.log.error(`${uri}: ${describeError(error)}`);
      this.#note(uri, {
        note: "failed",
        message: "Taintwise failed on this document; see the log. It is not checked.",
      });
      return [];
    }
  }

  /** The document is closed: its note is taken back. */
  closed(uri: string): void {
    this.#note(uri, { note: null, message: "" });
    this.#notes.delete(uriKey(uri));
  }

  #convert({ uri, lines, diagnostics, folder }: AnalysedDocument): ProtocolDiagnostic[] {
    const around = { uri, lines, elsewhere: this.#options.elsewhere.of.bind(this.#options.elsewhere) };
    return limited(
      diagnostics.map((each) => toProtocolDiagnostic(each, around)),
      folder.settings.maxProblems,
    );
  }

  #note(uri: string, note: Omit<DocumentNoteParams, "uri">): void {
    const key = uriKey(uri);
    if ((this.#notes.get(key) ?? "") === note.message) return;
    this.#notes.set(key, note.message);
    void this.#options.connection.sendNotification(DocumentNote.method, { uri, ...note });
  }
}
