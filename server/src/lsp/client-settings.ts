// LSP layer: the client's settings, asked for folder by folder where it can be asked.
import type { ConfigurationItem, Connection } from "vscode-languageserver";
import { SETTINGS_SECTION, type Settings } from "../../../shared/src/settings.ts";
import { readSettings } from "../../../shared/src/settings-reader.ts";
import { describeError, type ServerLog } from "./boundary.ts";
import { HIDDEN_SECTION, hiddenGlobs, sectionOf } from "./initialization.ts";
import type { WorkspaceFolder } from "./workspace-folder.ts";

/**
 * Hands every folder its settings and what its user hides. `pushed` is what the client sent by itself, `askable` whether
 * it answers questions, which then count. Out: the settings of documents that lie in no folder, null where nothing is
 * known of them. Bad values are logged.
 */
export async function readClientSettings(
  connection: Connection,
  folders: readonly WorkspaceFolder[],
  askable: boolean,
  pushed: unknown,
  log: ServerLog,
): Promise<Settings | null> {
  let loose: Settings | null = null;
  for (const folder of folders) {
    const [section, hidden] = askable ? await ask(connection, folder, log) : [sectionOf(pushed)];
    if (section === undefined && !askable) continue;
    const { settings, problems } = readSettings(section);
    for (const { key, message } of problems) log.warn(`${key}: ${message}`);
    if (folder.path === null) loose = settings;
    folder.setSettings(settings);
    folder.setHidden(hiddenGlobs(hidden));
  }
  return loose;
}

async function ask(connection: Connection, folder: WorkspaceFolder, log: ServerLog): Promise<readonly unknown[]> {
  const scope = folder.uri === "" ? {} : { scopeUri: folder.uri };
  const items: ConfigurationItem[] = [SETTINGS_SECTION, HIDDEN_SECTION].map((section) => ({ section, ...scope }));
  try {
    return await connection.workspace.getConfiguration(items);
  } catch (error) {
    log.warn(`the client did not tell its settings: ${describeError(error)}`);
    return [];
  }
}
