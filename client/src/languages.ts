// Client: the languages that are checked, where menus can ask for them.
import { commands, type Disposable, workspace } from "vscode";
import { SETTINGS_SECTION } from "../../shared/src/settings.ts";

/** The setting; also the name of the context key that package.json's `when` clauses read (`editorLangId in …`). */
const KEY = `${SETTINGS_SECTION}.languages`;

/** Keeps the context key as the setting is, until disposed. `onChanged` hears of every later change of it. */
export function followLanguages(languages: () => readonly string[], onChanged: () => void): Disposable {
  const tell = () => void commands.executeCommand("setContext", KEY, [...languages()]);
  tell();
  return workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration(KEY)) return;
    tell();
    onChanged();
  });
}
