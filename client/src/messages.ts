// Client: how failures reach people.
import { CancellationError, commands, window } from "vscode";
import { texts } from "./texts.ts";

/** Shows why something failed and offers the log. A cancelled request is no failure. */
export async function showFailure(error: unknown): Promise<void> {
  if (isCancelled(error)) return;
  const reason = error instanceof Error ? error.message : String(error);
  const answer = await window.showErrorMessage(texts.server.requestFailed(reason), texts.server.showLog());
  if (answer === texts.server.showLog()) await commands.executeCommand("taintwise.showLog");
}

/** `RequestCancelled` and `ServerCancelled` of the language server protocol. */
const CANCELLED: ReadonlySet<number> = new Set([-32800, -32802]);

function isCancelled(error: unknown): boolean {
  if (error instanceof CancellationError) return true;
  return error instanceof Error && "code" in error && typeof error.code === "number" && CANCELLED.has(error.code);
}
