// Client: the two questions before a cluster is changed: whether to go on from what is shown, then, in a dialog that
// names the context, whether to do it.
import { commands, window } from "vscode";
import type { NotPrepared, PreparedChange } from "../../../shared/src/change.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import { texts } from "../texts.ts";

/** Resolves with whether a person confirmed the change twice. What is shown can be read while the first question stands. */
export async function confirmChange(change: PreparedChange): Promise<boolean> {
  const { context, server, object, what, details } = change;
  const apply = { label: texts.change.goOn(context), detail: details[0] ?? "" };
  const leave = { label: texts.change.leave(), detail: texts.change.leaveDetail() };
  const picked = await window.showQuickPick([leave, apply], {
    title: `${what}: ${object}`,
    placeHolder: texts.change.shown(context),
    ignoreFocusOut: true,
  });
  if (picked !== apply) return false;
  const answer = await window.showWarningMessage(
    texts.change.confirm(what, object, context),
    { modal: true, detail: [texts.change.server(server), ...details].join("\n\n") },
    texts.change.apply(context),
  );
  return answer === texts.change.apply(context);
}

/** Says why nothing was prepared; where a setting forbids it, the way there is offered. */
export async function tellWhyNot({ kind, reason }: NotPrepared): Promise<void> {
  if (kind === "refused") {
    void window.showWarningMessage(reason);
    return;
  }
  const answer = await window.showInformationMessage(reason, texts.change.openSetting());
  if (answer === undefined) return;
  await commands.executeCommand("workbench.action.openSettings", `${SETTINGS_SECTION}.cluster.allowChanges`);
}
