// Client: the command "Check Workspace".
import { commands, ProgressLocation, window } from "vscode";
import { CheckWorkspace, type WorkspaceCheck } from "../../../shared/src/protocol.ts";
import type { ClusterSource } from "../cluster/cluster-source.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";

/** Checks every file now, can be cancelled, and sums up; "nothing found" never hides that something is unknown. */
export async function checkWorkspace(server: LanguageServer, source: ClusterSource): Promise<void> {
  try {
    const check = await window.withProgress(
      { location: ProgressLocation.Notification, title: texts.check.working(), cancellable: true },
      (_progress, token) => server.request(CheckWorkspace, {}, token),
    );
    const known = (source.state?.clusters.length ?? 0) > 0;
    const found = check.errors + check.warnings + check.information + check.hints;
    const actions = [
      ...(found > 0 ? [texts.check.showProblems()] : []),
      ...(known ? [] : [texts.check.selectCluster()]),
    ];
    const answer = await window.showInformationMessage(sentences(check, found, known).join(" "), ...actions);
    if (answer === texts.check.showProblems()) await commands.executeCommand("workbench.actions.view.problems");
    if (answer === texts.check.selectCluster()) await commands.executeCommand("taintwise.selectCluster");
  } catch (error) {
    showFailure(error);
  }
}

/** Whole sentences, one after the other. */
function sentences(check: WorkspaceCheck, found: number, known: boolean): readonly string[] {
  return [
    found > 0
      ? texts.check.found(check.errors, check.warnings, check.information + check.hints, check.files)
      : texts.check.clean(check.workloads, check.files),
    ...(known ? [] : [texts.check.noCluster()]),
    ...(check.truncated ? [texts.check.truncated()] : []),
  ];
}
