// Client: the document that the server most likely read when it ended, and those that are kept from it.
import { Disposable, type TextDocument, window, workspace } from "vscode";

/**
 * Watches what is opened, edited and saved. A document in quarantine stays there until it is saved, whatever is typed:
 * each key stroke would end the server again.
 */
export class Suspects implements Disposable {
  readonly #watching: Disposable;
  readonly #quarantined = new Set<string>();
  #last: string | null = null;

  /** `languages` are the ids of the documents that the server is sent. */
  constructor(languages: () => readonly string[]) {
    const touched = (document: TextDocument): void => {
      const uri = document.uri.toString();
      if (languages().includes(document.languageId) && !this.#quarantined.has(uri)) this.#last = uri;
    };
    this.#watching = Disposable.from(
      workspace.onDidOpenTextDocument(touched),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) touched(document);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#quarantined.delete(uri.toString())) this.#last = uri.toString();
      }),
    );
    // What was open before anybody watched.
    for (const document of workspace.textDocuments) touched(document);
    if (window.activeTextEditor !== undefined) touched(window.activeTextEditor.document);
  }

  /** URI of the document that was opened or edited last; null when there was none. */
  get last(): string | null {
    return this.#last;
  }

  /** URIs of the documents that the next process must not read. */
  get quarantined(): readonly string[] {
    return [...this.#quarantined];
  }

  quarantine(uri: string): void {
    this.#quarantined.add(uri);
    if (this.#last === uri) this.#last = null;
  }

  /** A person asked for a new start: everything gets another chance. */
  acquit(): void {
    this.#quarantined.clear();
  }

  dispose(): void {
    this.#watching.dispose();
  }
}
