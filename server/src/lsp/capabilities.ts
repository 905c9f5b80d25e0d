// LSP layer: what the server says that it can do.
import { type InitializeResult, TextDocumentSyncKind } from "vscode-languageserver";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import { VERSION } from "../../../shared/src/version.ts";
import { ACTION_KINDS } from "./code-actions.ts";

/** The answer to `initialize`; `pulls`: the client asks for diagnostics itself. */
export function initializeResult(pulls: boolean): InitializeResult {
  return {
    serverInfo: { name: "taintwise", version: VERSION },
    capabilities: {
      positionEncoding: "utf-16",
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      codeActionProvider: { codeActionKinds: ACTION_KINDS },
      hoverProvider: true,
      completionProvider: { triggerCharacters: [" ", ":", "-", "{", "/"] },
      codeLensProvider: {},
      inlayHintProvider: true,
      documentSymbolProvider: true,
      workspaceSymbolProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      ...(pulls
        ? {
            diagnosticProvider: {
              identifier: SETTINGS_SECTION,
              interFileDependencies: false,
              workspaceDiagnostics: true,
            },
          }
        : {}),
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}
