// Client: the rollout of an applied fix: progress that can be left, and a report that stays.
import { type CancellationToken, type Progress, ProgressLocation, window } from "vscode";
import { FollowChange, type FollowChangeResult, type PreparedChange } from "../../../shared/src/change.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = 1_500;
/** Looks after the end. */
const SETTLING = 4;

/** Resolves when the rollout ended or the person stopped watching it; the rollout itself goes on then. */
export async function followRollout(
  server: LanguageServer,
  reports: ReportDocuments,
  { id, object, context }: PreparedChange,
): Promise<void> {
  const last = await window.withProgress(
    { location: ProgressLocation.Notification, title: texts.change.rollout(object, context), cancellable: true },
    (progress, token) => look(server, reports, id, progress, token),
  );
  const message = texts.change.rolloutSays(object, context, last?.summary ?? "");
  if (last?.phase === "done") void window.showInformationMessage(message);
  else if (last?.phase === "attention") void window.showWarningMessage(message);
  else void window.showInformationMessage(texts.change.notFollowed(object, context));
}

async function look(
  server: LanguageServer,
  reports: ReportDocuments,
  id: string,
  progress: Progress<{ message?: string }>,
  token: CancellationToken,
): Promise<FollowChangeResult | null> {
  let shown = false;
  while (!token.isCancellationRequested) {
    const state = await server.request(FollowChange, { id });
    progress.report({ message: state.summary });
    if (state.report !== null) {
      // Shown once: a person may close it, and may have put another editor in its place.
      if (shown) reports.update(state.report);
      else await reports.show(state.report);
      shown = true;
    }
    if (state.phase !== "rolling") {
      void settle(server, reports, id);
      return state;
    }
    await pause(token);
  }
  return null;
}

/**
 * The controller counts before the last pods are seen, and an editor that is still opening the report misses a change of
 * it: the report is written some more times.
 */
async function settle(server: LanguageServer, reports: ReportDocuments, id: string): Promise<void> {
  for (let look = 0; look < SETTLING; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    // The server may be down: the report then stays as it is.
    const state = await server.request(FollowChange, { id }).catch(() => null);
    if (state?.report) reports.update(state.report);
  }
}

function pause(token: CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(finish, LOOK_EVERY);
    const listener = token.onCancellationRequested(finish);
  });
}
