// LSP layer: the documents that the client has open, by the normal form of their URI.
import { TextDocument, type TextDocumentContentChangeEvent } from "vscode-languageserver-textdocument";
import { isOurs, uriKey } from "./uri.ts";

export interface OpenDocument {
  readonly document: TextDocument;
  /** Grows with every opening, so that a result for an earlier opening of the same URI is known as old. */
  readonly opening: number;
}

/** Holds open documents. Messages about documents of other schemes are ignored. */
export class OpenDocuments {
  readonly #byKey = new Map<string, OpenDocument>();
  #openings = 0;

  open(uri: string, languageId: string, version: number, text: string): OpenDocument | null {
    if (!isOurs(uri)) return null;
    this.#openings += 1;
    const opened = { document: TextDocument.create(uri, languageId, version, text), opening: this.#openings };
    this.#byKey.set(uriKey(uri), opened);
    return opened;
  }

  /** Applies changes; null when the document is not open. Places outside of the text are taken to its nearer end. */
  change(uri: string, version: number, changes: TextDocumentContentChangeEvent[]): OpenDocument | null {
    const held = this.#byKey.get(uriKey(uri));
    if (held === undefined) return null;
    // A fresh object each time: whoever reads the old one keeps its text.
    const { document } = held;
    const copy = TextDocument.create(document.uri, document.languageId, document.version, document.getText());
    const changed = { ...held, document: TextDocument.update(copy, changes, version) };
    this.#byKey.set(uriKey(uri), changed);
    return changed;
  }

  close(uri: string): boolean {
    return this.#byKey.delete(uriKey(uri));
  }

  get(uri: string): OpenDocument | null {
    return this.#byKey.get(uriKey(uri)) ?? null;
  }

  all(): readonly OpenDocument[] {
    return [...this.#byKey.values()];
  }
}
