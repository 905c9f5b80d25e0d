// Client: the command "Apply Fix to Cluster": dry run, diff, confirmation, change, rollout.
import { ProgressLocation, window } from "vscode";
import { ApplyChange, PrepareFix } from "../../../shared/src/change.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { pickWorkload, targetOf } from "../explorer/targets.ts";
import { showFailure } from "../messages.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import type { ChangeDocuments } from "./change-documents.ts";
import { confirmChange, tellWhyNot } from "./confirm.ts";
import { followRollout } from "./follow-rollout.ts";

/** Changes the live workload of the row, else of the one that is picked, once it is confirmed. */
export async function applyFix(
  server: LanguageServer,
  reports: ReportDocuments,
  documents: ChangeDocuments,
  argument: unknown,
): Promise<void> {
  try {
    const target = targetOf(argument) ?? (await pickWorkload(server));
    if (target === null) void window.showInformationMessage(texts.explorer.nothingToFix());
    if (!target) return;
    const prepared = await window.withProgress(
      { location: ProgressLocation.Notification, title: texts.change.dryRun(target.name), cancellable: true },
      (_progress, token) => server.request(PrepareFix, target, token),
    );
    if (prepared.kind !== "ready") {
      await tellWhyNot(prepared);
      return;
    }
    const { change, before, after } = prepared;
    await documents.showDiff(texts.change.diff(change.object, change.context), before, after);
    if (!(await confirmChange(change))) return;
    const result = await server.request(ApplyChange, { id: change.id });
    if (result.kind === "refused") void window.showErrorMessage(result.message);
    else if (result.rollout) await followRollout(server, reports, change);
    else void window.showInformationMessage(result.message);
  } catch (error) {
    showFailure(error);
  }
}
