// Client: the extension's entry point. It only wires; everything else is made here and disposed with the extension.
import { commands, type ExtensionContext, window, workspace } from "vscode";
import { ClientCommand, TrustGranted } from "../../shared/src/protocol.ts";
import { SETTINGS_SECTION } from "../../shared/src/settings.ts";
import { readSettings } from "../../shared/src/settings-reader.ts";
import { registerChanges } from "./change/register.ts";
import { ClusterSource } from "./cluster/cluster-source.ts";
import { offerNodeLists } from "./cluster/node-list-offer.ts";
import { serveNodeViews } from "./cluster/node-views.ts";
import { answerPermissions } from "./cluster/permissions.ts";
import { selectCluster, useAsCluster } from "./cluster/select-cluster.ts";
import { showClusterStatus } from "./cluster/status-item.ts";
import { checkWorkspace } from "./commands/check-workspace.ts";
import { openExample } from "./commands/example.ts";
import { copyKubectlPatch, explainWorkload } from "./commands/explain.ts";
import { openPlace } from "./commands/place.ts";
import { preflightTaint } from "./commands/preflight.ts";
import { showRights } from "./commands/rights.ts";
import { LanguageServer } from "./connection/language-server.ts";
import { reportCrashes, startServer } from "./connection/supervise.ts";
import { Suspects } from "./connection/suspects.ts";
import { showDocumentNotes } from "./document-notes.ts";
import { registerExplorer } from "./explorer/register.ts";
import { followLanguages } from "./languages.ts";
import { ReportDocuments } from "./report/report-documents.ts";
import { PRODUCT } from "./texts.ts";

/** What other extensions and tests may ask. */
export interface TaintwiseApi {
  /** Milliseconds that `activate` took before it handed back to the editor. */
  readonly activation: number;
  /** Resolves when the language server answers. */
  readonly ready: Promise<void>;
  /** The language server's process; null while it is down. */
  processId(): number | null;
}

/** Called by the editor once. Returns before the server is up: nothing here waits. */
export function activate(context: ExtensionContext): TaintwiseApi {
  const begun = performance.now();
  const log = window.createOutputChannel(PRODUCT, { log: true });
  const settings = () => readSettings(workspace.getConfiguration().get(SETTINGS_SECTION)).settings;
  const suspects = new Suspects(() => settings().languages);
  const server: LanguageServer = new LanguageServer({
    serverModule: context.asAbsolutePath("dist/server.cjs"),
    storage: context.globalStorageUri.fsPath,
    languages: () => settings().languages,
    log,
    suspects,
    initializationOptions: () => ({
      trusted: workspace.isTrusted,
      cluster: source.choice,
      commands: Object.values(ClientCommand),
      nodeViews: true,
      permissions: true,
      explorer: true,
    }),
  });
  const source = new ClusterSource(server, context.workspaceState, context.globalState);
  const reports = new ReportDocuments();
  answerPermissions(server, { workspace: context.workspaceState, person: context.globalState });

  const register = (command: string, run: (argument: unknown) => unknown) => commands.registerCommand(command, run);
  context.subscriptions.push(
    log,
    suspects,
    server,
    source,
    reports,
    showClusterStatus(server, source),
    showDocumentNotes(server),
    serveNodeViews(server, source),
    offerNodeLists(source, context.workspaceState),
    reportCrashes(server, log),
    ...registerExplorer(context, server, source, reports),
    ...registerChanges(context, server, reports),
    register(ClientCommand.selectCluster, () => selectCluster(source)),
    register(ClientCommand.explain, (argument) => explainWorkload(server, reports, argument)),
    register(ClientCommand.copyPatch, (argument) => copyKubectlPatch(server, argument)),
    register(ClientCommand.open, openPlace),
    register("taintwise.useAsCluster", (resource) => useAsCluster(source, resource)),
    register("taintwise.checkWorkspace", () => checkWorkspace(server, source)),
    register("taintwise.preflight", () => preflightTaint(server, reports)),
    register("taintwise.fixAll", () =>
      commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.taintwise", apply: "first" }),
    ),
    register("taintwise.openExample", () => openExample(context)),
    register("taintwise.showRights", () => showRights(context, "read")),
    register("taintwise.showLog", () => log.show()),
    register("taintwise.restartServer", () => startServer(server, () => server.restart())),
    workspace.onDidGrantWorkspaceTrust(() => server.notify(TrustGranted, {})),
    followLanguages(
      () => settings().languages,
      () => void startServer(server, () => server.recreate()),
    ),
    { dispose: () => void server.stop() },
  );

  const ready = startServer(server, () => server.start());
  const activation = performance.now() - begun;
  log.debug(`activated in ${activation.toFixed(1)} ms`);
  return { activation, ready, processId: () => server.processId() };
}
