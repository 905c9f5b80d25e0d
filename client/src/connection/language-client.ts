// Client: the language client and its settings. The only file that imports vscode-languageclient; it is loaded when the
// server starts, not when the extension is.
import { type LogOutputChannel, workspace } from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  DiagnosticPullMode,
  type DocumentFilter,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
} from "vscode-languageclient/node";
import type { InitializationOptions } from "../../../shared/src/protocol.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import { PRODUCT } from "../texts.ts";

export interface ConnectionSetup {
  /** Absolute path of the bundled server. */
  readonly serverModule: string;
  /** Absolute path of a folder that the server may write snapshots to. */
  readonly storage: string;
  readonly languages: readonly string[];
  readonly log: LogOutputChannel;
  /** Asked at every start, so that a restart carries the newest choice. */
  readonly initializationOptions: () => InitializationOptions;
  /** The process ended by itself; whether to start it again. */
  readonly onCrash: () => { readonly restart: boolean };
}

/** Errors of the connection in a row after which it is given up; a single broken message is no reason. */
const ERRORS_IN_A_ROW = 3;

/**
 * Writes its own troubles to the log only. In a crash loop it would raise four messages within a second, and the editor
 * hides what comes so fast, ours among them.
 */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** A client that is not started yet. Its messages go to the log; only our own code shows any to the user. */
export function createLanguageClient(setup: ConnectionSetup): LanguageClient {
  const options = { env: { ...process.env, TAINTWISE_STORAGE: setup.storage } };
  const run = { module: setup.serverModule, transport: TransportKind.ipc, options };
  return new QuietClient(
    SETTINGS_SECTION,
    PRODUCT,
    { run, debug: { ...run, options: { ...options, execArgv: ["--nolazy", "--inspect=6009"] } } },
    {
      documentSelector: documentSelector(setup.languages),
      outputChannel: setup.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: setup.initializationOptions,
      diagnosticCollectionName: SETTINGS_SECTION,
      diagnosticPullOptions: {
        onChange: true,
        onSave: true,
        filter: (document, mode) => mode === DiagnosticPullMode.onType && runsOnSave(document.uri),
      },
      errorHandler: {
        error: (_error, _message, count) => ({
          action: (count ?? 0) <= ERRORS_IN_A_ROW ? ErrorAction.Continue : ErrorAction.Shutdown,
          handled: true,
        }),
        closed: (): CloseHandlerResult => ({
          action: setup.onCrash().restart ? CloseAction.Restart : CloseAction.DoNotRestart,
          handled: true,
        }),
      },
      // Without it the library shows its own message, in words of the protocol, when a process ends while it starts.
      initializationFailedHandler: () => false,
      markdown: { isTrusted: false, supportHtml: false },
    },
  );
}

/**
 * Files and untitled documents of the languages. Other schemes (git's side of a diff, output channels, notebook cells)
 * would be second copies of the same path.
 */
function documentSelector(languages: readonly string[]): DocumentFilter[] {
  return languages.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
}

function runsOnSave(resource: Parameters<typeof workspace.getConfiguration>[1]): boolean {
  return workspace.getConfiguration(SETTINGS_SECTION, resource).get("run") === "onSave";
}
