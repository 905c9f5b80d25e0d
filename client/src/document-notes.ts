// Client: marks documents that are not checked, beside the language name, so that silence is not taken for "clean".
import { type Disposable, LanguageStatusSeverity, languages, Uri } from "vscode";
import { DocumentNote, type DocumentNoteParams } from "../../shared/src/protocol.ts";
import type { LanguageServer } from "./connection/language-server.ts";
import { texts } from "./texts.ts";

const LABELS: Readonly<Record<NonNullable<DocumentNoteParams["note"]>, () => string>> = {
  template: texts.note.template,
  conflict: texts.note.conflict,
  "too-large": texts.note.tooLarge,
  excluded: texts.note.excluded,
  record: texts.note.record,
  quarantined: texts.note.quarantined,
  failed: texts.note.failed,
};

/** Shows the notes that the server sends until disposed. */
export function showDocumentNotes(server: LanguageServer): Disposable {
  const items = new Map<string, Disposable>();
  const clear = (): void => {
    for (const item of items.values()) item.dispose();
    items.clear();
  };
  server.onNotification(DocumentNote, ({ uri, note, message }) => {
    items.get(uri)?.dispose();
    items.delete(uri);
    if (note === null) return;
    const { scheme, path } = Uri.parse(uri);
    // A status item has a selector, not a document: the exact path as a pattern, with its wildcards escaped.
    const item = languages.createLanguageStatusItem(`taintwise.note.${uri}`, {
      scheme,
      pattern: path.replaceAll(/[[\]{}*?]/g, (character) => `[${character}]`),
    });
    item.name = texts.note.name();
    item.text = LABELS[note]();
    item.detail = message;
    item.severity = note === "failed" ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    items.set(uri, item);
  });
  const restarted = server.onPhaseChanged((phase) => {
    if (phase !== "running") clear();
  });
  return {
    dispose: () => {
      restarted.dispose();
      clear();
    },
  };
}
