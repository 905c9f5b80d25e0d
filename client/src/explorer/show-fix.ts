// Client: the command "Show Fix": to the manifest that defines the workload, else a patch for the clipboard.
import { commands, env, languages, Position, Selection, Uri, window, workspace } from "vscode";
import {
  type RowTarget,
  type WorkloadFile,
  WorkloadFix,
  type WorkloadFixResult,
} from "../../../shared/src/explorer.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import { readSettings } from "../../../shared/src/settings-reader.ts";
import { shellLine, shellOf } from "../../../shared/src/shell.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";
import { pickWorkload, targetOf } from "./targets.ts";

/** Opens the place of the fix and offers the editor's quick fixes there; several manifests are offered to choose from. */
export async function showFix(server: LanguageServer, argument: unknown): Promise<void> {
  try {
    const target = targetOf(argument) ?? (await pickWorkload(server));
    if (target === null) void window.showInformationMessage(texts.explorer.nothingToFix());
    if (!target) return;
    const fix = await server.request(WorkloadFix, target);
    if (fix === null) {
      void window.showInformationMessage(texts.explorer.noWorkload(target.name));
      return;
    }
    const file = await chooseFile(fix.files, target);
    if (file === null) await offerPatch(fix, target);
    else if (file !== undefined) await openFile(file);
  } catch (error) {
    showFailure(error);
  }
}

/** null: there is none; undefined: the person backed out. */
async function chooseFile(files: readonly WorkloadFile[], target: RowTarget): Promise<WorkloadFile | null | undefined> {
  const [first, ...others] = files;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const picked = await window.showQuickPick(
    files.map((file) => ({ label: file.label, file })),
    { placeHolder: texts.explorer.whichFile(target.name) },
  );
  return picked?.file;
}

async function openFile({ place }: WorkloadFile): Promise<void> {
  const cursor = new Position(place.position.line, place.position.character);
  const { document } = await window.showTextDocument(Uri.parse(place.uri, true), {
    selection: new Selection(cursor, cursor),
  });
  if (await hasProblem(document.uri, cursor)) await commands.executeCommand("editor.action.quickFix");
}

/** Milliseconds that a document which was just opened may take to be judged. */
const PATIENCE = 3000;

/** Whether one of our problems stands at the place; waits for a document that was not judged yet. */
function hasProblem(uri: Uri, place: Position): Promise<boolean> {
  const isThere = (): boolean =>
    languages.getDiagnostics(uri).some(({ source, range }) => source === SETTINGS_SECTION && range.contains(place));
  if (isThere()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (found: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(found);
    };
    const timer = setTimeout(() => finish(false), PATIENCE);
    const listener = languages.onDidChangeDiagnostics(() => {
      if (isThere()) finish(true);
    });
  });
}

async function offerPatch({ patch, advice }: WorkloadFixResult, target: RowTarget): Promise<void> {
  if (patch === null) {
    void window.showInformationMessage(advice);
    return;
  }
  const answer = await window.showInformationMessage(
    texts.explorer.patchOffer(advice),
    texts.explorer.copyCommand(),
    texts.explorer.copyPatch(),
    ...(allowsChanges() ? [texts.change.applyFix()] : []),
  );
  if (answer === undefined) return;
  if (answer === texts.change.applyFix()) {
    await commands.executeCommand("taintwise.applyFix", { target });
    return;
  }
  const command = shellLine(patch.words, shellOf(env.shell));
  await env.clipboard.writeText(answer === texts.explorer.copyCommand() ? command : patch.json);
  window.setStatusBarMessage(texts.patch.copied(patch.title), 5000);
}

/** Whether the way to the cluster is worth an offer; the server decides whether it may be gone. */
function allowsChanges(): boolean {
  return readSettings(workspace.getConfiguration().get(SETTINGS_SECTION)).settings.cluster.allowChanges;
}
