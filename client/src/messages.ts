// Client: how failures reach people.
import { CancellationError, commands, window } from "vscode";
import { texts } from "./texts.ts";

/** Shows why something failed and offers the log; does not wait for an answer. A cancelled request is no failure. */
export function showFailure(error: unknown): void {
  if (isCancelled(error)) return;
  const reason = error instanceof Error ? error.message : String(error);
  void window.showErrorMessage(texts.server.requestFailed(reason), texts.server.showLog()).then((answer) => {
    if (answer === texts.server.showLog()) void commands.executeCommand("taintwise.showLog");
  });
}

/** `RequestCancelled` and `ServerCancelled` of the language server protocol. */
const CANCELLED: ReadonlySet<number> = new Set([-32800, -32802]);

function isCancelled(error: unknown): boolean {
  if (error instanceof CancellationError) return true;
  return error instanceof Error && "code" in error && typeof error.code === "number" && CANCELLED.has(error.code);
}
