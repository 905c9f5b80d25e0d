// Client: what people see when the server does not start or goes away.
import { commands, type Disposable, window } from "vscode";
import { texts } from "../texts.ts";
import type { LanguageServer } from "./language-server.ts";

/** Runs a start or restart; a failure is shown with the log one click away. Never rejects. */
export async function startServer(server: LanguageServer, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await offer(server, reason);
  }
}

/** Tells of each crash, until disposed: one line when it was healed, the log and a restart when it was given up. */
export function reportCrashes(server: LanguageServer): Disposable {
  return server.onCrashed(({ restarted, count }) => {
    if (restarted) void offerLog(texts.server.crashed());
    else void offer(server, texts.server.gaveUp(count));
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
