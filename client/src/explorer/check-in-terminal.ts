// Client: the command "Open Check in Terminal": types a kubectl line and leaves it to the person to run it.
import { window } from "vscode";
import { ExplorerChecks } from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import { PRODUCT, texts } from "../texts.ts";
import { pickNode, targetOf } from "./targets.ts";

/** Offers the checks for the row's object, else for a node that is picked. */
export async function openCheck(server: LanguageServer, argument: unknown): Promise<void> {
  try {
    const target = targetOf(argument) ?? (await pickNode(server, false));
    if (!target) return;
    const checks = await server.request(ExplorerChecks, target);
    const picked = await window.showQuickPick(
      checks.map(({ title, command }) => ({ label: title, detail: command, command })),
      { placeHolder: texts.explorer.whichCheck(target.name), matchOnDetail: true },
    );
    if (picked === undefined) return;
    const open = window.terminals.find(({ name, exitStatus }) => name === PRODUCT && exitStatus === undefined);
    const terminal = open ?? window.createTerminal({ name: PRODUCT });
    terminal.show();
    // The line is typed, not run.
    terminal.sendText(picked.command, false);
  } catch (error) {
    showFailure(error);
  }
}
