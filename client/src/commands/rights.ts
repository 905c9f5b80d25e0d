// Client: "Show the Rights That Are Read" and "… That Changes Take": a shipped ClusterRole as a new document, to be saved
// or applied.
import { type ExtensionContext, Uri, window, workspace } from "vscode";
import { showFailure } from "../messages.ts";

/** Opens a copy, so that an edit never changes what the extension ships. */
export async function showRights(context: ExtensionContext, to: "read" | "changes"): Promise<void> {
  const file =
    to === "read"
      ? Uri.joinPath(context.extensionUri, "docs", "rbac.yaml")
      : Uri.joinPath(context.extensionUri, "docs", "rbac-changes.yaml");
  try {
    const shipped = await workspace.fs.readFile(file);
    const content = new TextDecoder().decode(shipped);
    await window.showTextDocument(await workspace.openTextDocument({ language: "yaml", content }));
  } catch (error) {
    showFailure(error);
  }
}
