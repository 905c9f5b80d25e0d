// Client: what people see when the server does not start or goes away.
import { basename } from "node:path/posix";
import { commands, type Disposable, type LogOutputChannel, Uri, window } from "vscode";
import { texts } from "../texts.ts";
import type { LanguageServer } from "./language-server.ts";

/** Runs a start or restart; a failure is shown with the log one click away. Never rejects. */
export async function startServer(server: LanguageServer, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void offer(server, reason);
  }
}

/**
 * Tells of crashes, until disposed. The first in three minutes is one line; the next ones only go to the log, since the
 * editor hides messages that come in quick succession and would hide the ones that matter: that a document is left out, and that the server was given up.
 */
export function reportCrashes(server: LanguageServer, log: LogOutputChannel): Disposable {
  return server.onCrashed(({ restarted, count, quarantined }) => {
    log.error(restarted ? texts.server.crashed() : texts.server.gaveUp(count));
    if (quarantined !== null) {
      log.error(`not read until it is saved: ${quarantined}`);
      void offerLog(texts.server.quarantined(basename(Uri.parse(quarantined).path)));
    }
    if (!restarted) void offer(server, texts.server.gaveUp(count));
    else if (count === 1) void offerLog(texts.server.crashed());
  });
}

async function offerLog(message: string): Promise<void> {
  const answer = await window.showWarningMessage(message, texts.server.showLog());
  if (answer === texts.server.showLog()) await commands.executeCommand("taintwise.showLog");
}

async function offer(server: LanguageServer, message: string): Promise<void> {
  const answer = await window.showErrorMessage(message, texts.server.showLog(), texts.server.restart());
  if (answer === texts.server.showLog()) await commands.executeCommand("taintwise.showLog");
  if (answer === texts.server.restart()) await startServer(server, () => server.restart());
}
