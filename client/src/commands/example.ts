// Client: the command "Open the Example": a copy of the shipped incident that can be edited.
import { commands, type ExtensionContext, FileSystemError, Uri, window, workspace } from "vscode";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";

/** Where the example lies in the extension and its copy in the extension's own storage. */
const EXAMPLE = ["examples", "rdma-incident"] as const;

/** Copies the example afresh (edits of the last visit are gone, so that the walkthrough's steps hold) and opens it in a new window. */
export async function openExample(context: ExtensionContext): Promise<void> {
  const source = Uri.joinPath(context.extensionUri, ...EXAMPLE);
  const copy = Uri.joinPath(context.globalStorageUri, ...EXAMPLE);
  try {
    await workspace.fs.stat(source);
    await workspace.fs.copy(source, copy, { overwrite: true });
    await commands.executeCommand("vscode.openFolder", copy, { forceNewWindow: true });
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "FileNotFound") {
      void window.showInformationMessage(texts.example.missing());
      return;
    }
    showFailure(error);
  }
}
