// Client: the command "Open Check in Terminal": types a kubectl line and leaves it to the person to run it.
import { env, type Terminal, window } from "vscode";
import { ExplorerChecks } from "../../../shared/src/explorer.ts";
import { type Shell, shellLine, shellOf } from "../../../shared/src/shell.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import { PRODUCT, texts } from "../texts.ts";
import { pickTarget, targetOf } from "./targets.ts";

/** Offers the checks for the row's object, else for what is picked. */
export async function openCheck(server: LanguageServer, argument: unknown): Promise<void> {
  try {
    const target = targetOf(argument) ?? (await pickTarget(server, false));
    if (!target) return;
    const checks = await server.request(ExplorerChecks, target);
    const open = window.terminals.find(({ name, exitStatus }) => name === PRODUCT && exitStatus === undefined);
    const shell = shellIn(open);
    const picked = await window.showQuickPick(
      checks.map(({ title, words }) => ({ label: title, detail: shellLine(words, shell) })),
      { placeHolder: texts.explorer.whichCheck(target.name), matchOnDetail: true },
    );
    if (picked === undefined) return;
    // A line that was typed before and not run would stand in front of this one.
    const again = open !== undefined && CLEARS_LINE.has(shell) ? open : undefined;
    const terminal = again ?? window.createTerminal({ name: PRODUCT });
    terminal.show();
    // The line is typed, not run.
    terminal.sendText(`${again === undefined ? "" : CLEAR_LINE}${picked.detail}`, false);
  } catch (error) {
    showFailure(error);
  }
}

/** Ctrl+U: empties the line that is being typed. */
const CLEAR_LINE = "\u0015";
/** Shells that know it; in the others a check gets a terminal of its own. */
const CLEARS_LINE: ReadonlySet<Shell> = new Set(["posix", "fish"]);

/** The shell of the terminal, as the editor sees it; of a terminal to come, the editor's default. */
export function shellIn(terminal: Terminal | undefined): Shell {
  const byDefault = shellOf(env.shell);
  const seen = terminal?.state.shell;
  if (seen === undefined) return byDefault;
  const shell = shellOf(seen);
  // The editor calls both PowerShells by one name.
  return shell === "powershell" && byDefault === "windows-powershell" ? byDefault : shell;
}
