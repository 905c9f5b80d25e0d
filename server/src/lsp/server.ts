// LSP layer: the server. Wires the protocol's messages to the parts that answer them; holds no rule.
import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  type InitializeParams,
  type InitializeResult,
} from "vscode-languageserver";
import { ClusterStateChanged, type InitializationOptions } from "../../../shared/src/protocol.ts";
import { SETTINGS_SECTION, type Settings } from "../../../shared/src/settings.ts";
import { readSettings } from "../../../shared/src/settings-reader.ts";
import { createJudgeMemo } from "../features/diagnostics/judge.ts";
import { describeError, type ServerLog } from "./boundary.ts";
import { initializeResult } from "./capabilities.ts";
import { registerChanges } from "./change/register.ts";
import { readClientSettings } from "./client-settings.ts";
import { ClusterPool } from "./clusters/cluster-pool.ts";
import { contextFollower } from "./clusters/follow-context.ts";
import { Permissions } from "./clusters/permission.ts";
import { signInProgress } from "./clusters/sign-in-progress.ts";
import type { ClusterSource } from "./clusters/source.ts";
import { Elsewhere } from "./diagnostics/elsewhere.ts";
import { Publisher } from "./diagnostics/publisher.ts";
import type { ManifestSource } from "./documents/all-manifests.ts";
import { type AnalysedDocument, analyse } from "./documents/analysed.ts";
import { OpenDocuments } from "./documents/open-documents.ts";
import { Quarantine } from "./documents/quarantine.ts";
import { ExplorerServer } from "./explorer/register.ts";
import { HIDDEN_SECTION, readInitializationOptions } from "./initialization.ts";
import { registerClusters } from "./register-clusters.ts";
import { registerDocuments } from "./register-documents.ts";
import { registerFeatures } from "./register-features.ts";
import { registerPulls } from "./register-pulls.ts";
import { registerReports } from "./reports/register.ts";
import { ruleFailureTeller } from "./rule-failures.ts";
import { takeFileChange, type WatchedSurroundings, watchFiles } from "./watched-files.ts";
import { Workspace } from "./workspace.ts";
import type { WorkspaceFolder } from "./workspace-folder.ts";

/** What the process gives the server. */
export interface ServerHost {
  /** Sources named on the command line. */
  readonly sources: readonly ClusterSource[];
  readonly readStdin: () => Promise<Uint8Array>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where models of live clusters are remembered; null: nowhere. */
  readonly storage: string | null;
  readonly now: () => number;
  readonly exit: (code: number) => void;
}

/** Milliseconds of pause in typing before an open document is judged, where results are pushed. */
const TYPING_PAUSE = 150;
/** Milliseconds after a change of a document during which background work steps aside. */
const TYPING = 400;

/** Serves one client until it disconnects. Call `connection.listen()` afterwards. */
export function serve(connection: Connection, host: ServerHost): void {
  new Server(connection, host).register();
}

class Server {
  readonly #connection: Connection;
  readonly #host: ServerHost;
  readonly #documents = new OpenDocuments();
  readonly #elsewhere = new Elsewhere();
  readonly #memo = createJudgeMemo();
  readonly #permissions: Permissions;
  readonly #pool: ClusterPool;
  readonly #explorer: ExplorerServer;
  #workspace: Workspace;
  #publisher: Publisher | null = null;
  #capabilities: ClientCapabilities = {};
  #settings: Settings = readSettings(undefined).settings;
  #options: InitializationOptions = { trusted: false, cluster: null, commands: [] };
  /** Says nothing any more once the connection is closing. */
  readonly #log: ServerLog = {
    error: (message) => this.#tell(() => this.#connection.console.error(message)),
    warn: (message) => this.#tell(() => this.#connection.console.warn(message)),
    info: (message) => this.#tell(() => this.#connection.console.info(message)),
  };
  readonly #tellRuleFailure = ruleFailureTeller(this.#log);
  #trusted = false;
  #told = "";
  #distributing = false;
  #changing = false;
  #stopped = false;
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, host: ServerHost) {
    this.#connection = connection;
    this.#host = host;
    this.#permissions = new Permissions({
      connection,
      log: this.#log,
      folders: () => this.#workspace.folders.flatMap(({ path }) => path ?? []),
      askable: () => this.#options.permissions === true,
    });
    this.#pool = new ClusterPool({
      readStdin: host.readStdin,
      onChange: () => this.#clustersChanged(),
      followContext: contextFollower({
        kubeconfig: () => this.#settings.cluster.kubeconfig,
        extraPath: () => this.#settings.cluster.extraPath,
        namespaces: () => this.#settings.cluster.namespaces,
        signInTimeout: () => this.#settings.cluster.signInTimeout,
        storage: host.storage,
        log: (line) => this.#log.info(line),
        trusted: () => this.#trusted,
        environment: host.environment,
        permission: (source) => this.#permissions.of(source),
        signIn: signInProgress(
          connection,
          () => this.#capabilities.window?.workDoneProgress === true,
          (error) => this.#log.warn(`the progress of a sign-in was not shown: ${describeError(error)}`),
        ),
      }),
    });
    this.#workspace = this.#newWorkspace();
    this.#explorer = new ExplorerServer(connection, {
      log: this.#log,
      pool: this.#pool,
      workspace: () => this.#workspace,
      manifests: () => this.#manifests,
      follows: () => this.#options.explorer === true,
      nodeProxy: () => this.#settings.cluster.nodeProxy,
      typing: () => performance.now() - this.#typedAt < TYPING,
    });
  }

  register(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#initialized());
    connection.onShutdown(() => this.#shutdown());
    connection.onExit(() => this.#host.exit(0));
    const publisher = () => this.#publisher;
    const workspace = () => this.#workspace;
    registerDocuments(connection, {
      documents: this.#documents,
      workspace,
      publisher,
      pulls: () => this.#capabilities.textDocument?.diagnostic !== undefined,
      onTyped: () => {
        this.#typedAt = performance.now();
      },
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const change of changes) void takeFileChange(change, this.#watched);
    });
    connection.onDidChangeConfiguration(({ settings }) => void this.#readSettings(settings));
    registerPulls(connection, this.#log, publisher);
    registerClusters(connection, {
      log: this.#log,
      workspace,
      publisher,
      onChosen: async (source) => {
        this.#permissions.choose(source);
        // What waits for a word, or for another try, gets it.
        if (source.kind === "context") await this.#pool.refresh(source);
      },
      refreshSources: () => this.#refreshSources(),
      onTrusted: () => this.#trust(),
    });
    registerFeatures(connection, {
      log: this.#log,
      memo: this.#memo,
      elsewhere: this.#elsewhere,
      analysed: (uri) => this.#analysed(uri),
      openDocument: (uri) => this.#documents.get(uri)?.document ?? null,
      manifests: () => this.#manifests,
      commands: () => new Set(this.#options.commands),
      snippets: () => this.#capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
      nodeViews: () => this.#options.nodeViews === true,
    });
    this.#explorer.register();
    registerChanges(connection, {
      log: this.#log,
      pool: this.#pool,
      workspace,
      allowed: () => this.#settings.cluster.allowChanges,
      trusted: () => this.#trusted,
      judged: (key) => this.#explorer.judged(key),
    });
    registerReports(connection, {
      log: this.#log,
      memo: this.#memo,
      environment: this.#host.environment,
      workspace,
      analysed: (uri) => this.#analysed(uri),
      manifests: () => this.#manifests,
      settings: () => this.#settings,
      trusted: () => this.#trusted,
    });
  }

  get #watched(): WatchedSurroundings {
    return {
      workspace: this.#workspace,
      pool: this.#pool,
      publisher: this.#publisher,
      onConfigChanged: async () => {
        await this.#refreshSources();
        this.#everythingChanged();
      },
    };
  }

  get #manifests(): ManifestSource {
    const open = this.#documents.all().flatMap(({ document }) => this.#analysed(document.uri) ?? []);
    return { workspace: this.#workspace, open, files: this.#publisher?.files.values() ?? [] };
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#capabilities = params.capabilities;
    this.#options = readInitializationOptions(params.initializationOptions);
    this.#trusted = this.#options.trusted;
    this.#workspace = this.#newWorkspace();
    const folders = params.workspaceFolders ?? (params.rootUri ? [{ uri: params.rootUri, name: "" }] : []);
    for (const { uri } of folders) this.#workspace.addFolder(uri, this.#settings);
    this.#workspace.setChoice(this.#options.cluster);
    const pulls = params.capabilities.textDocument?.diagnostic !== undefined;
    this.#publisher = new Publisher({
      connection: this.#connection,
      documents: this.#documents,
      workspace: () => this.#workspace,
      elsewhere: this.#elsewhere,
      log: this.#log,
      pulls,
      pullsWorkspace: pulls && params.capabilities.workspace?.diagnostics !== undefined,
      refreshable: params.capabilities.workspace?.diagnostics?.refreshSupport === true,
      delay: TYPING_PAUSE,
    });
    return initializeResult(pulls);
  }

  async #initialized(): Promise<void> {
    const { workspace } = this.#capabilities;
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      await this.#connection.client.register(DidChangeConfigurationNotification.type, {
        section: [SETTINGS_SECTION, HIDDEN_SECTION],
      });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) await watchFiles(this.#connection);
    if (workspace?.workspaceFolders) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of removed) {
          this.#workspace.removeFolder(uri);
          this.#publisher?.folderDeleted(uri);
        }
        for (const { uri } of added) this.#workspace.addFolder(uri, this.#settings);
        void this.#readSettings();
      });
    }
    await this.#readSettings();
  }

  /** The document as it is now; null when it is not open here. */
  #analysed(uri: string): AnalysedDocument | null {
    const open = this.#documents.get(uri);
    return open === null ? null : analyse(open, this.#workspace.folderOf(uri));
  }

  #newWorkspace(): Workspace {
    const startingSources = this.#host.sources;
    const yamlErrorsShown = this.#options.yamlErrorsShown ?? false;
    return new Workspace(
      {
        pool: this.#pool,
        startingSources,
        yamlErrorsShown,
        now: this.#host.now,
        memo: this.#memo,
        quarantine: new Quarantine(this.#options.quarantined ?? []),
        trusted: () => this.#trusted,
        onRuleFailure: this.#tellRuleFailure,
      },
      this.#settings,
    );
  }

  #tell(say: () => void): void {
    if (!this.#stopped) say();
  }

  async #readSettings(pushed?: unknown): Promise<void> {
    const askable = this.#capabilities.workspace?.configuration === true;
    const folders = this.#workspace.all;
    const loose = await readClientSettings(this.#connection, folders, askable, pushed, this.#log);
    if (loose !== null) this.#takeSettings(loose);
    await this.#refreshSources();
    this.#everythingChanged();
  }

  #trust(): void {
    this.#trusted = true;
    // What was refused before is tried again.
    this.#pool.keepOnly([]);
    void this.#refreshSources();
  }

  /** What says how contexts are opened counts at once: they are opened anew. */
  #takeSettings(settings: Settings): void {
    const opening = ({ cluster: { kubeconfig, extraPath, namespaces, signInTimeout } }: Settings): string =>
      JSON.stringify([kubeconfig, extraPath, namespaces, signInTimeout]);
    const same = opening(this.#settings) === opening(settings);
    this.#settings = settings;
    if (!same) this.#pool.keepOnly(this.#workspace.sources.filter(({ kind }) => kind === "file"));
  }

  /** Opens what is wanted now, waits until it was read, and hands the models on. */
  async #refreshSources(): Promise<void> {
    this.#clustersChanged();
    await this.#workspace.ready();
    this.#clustersChanged();
  }

  #clustersChanged(): void {
    // Handing out models opens sources, which report themselves in turn.
    if (this.#distributing) return;
    this.#distributing = true;
    let changed: readonly WorkspaceFolder[];
    try {
      changed = this.#workspace.distribute();
    } finally {
      this.#distributing = false;
    }
    this.#tellState();
    if (changed.length > 0) this.#everythingChanged();
  }

  /** Diagnostics, lenses and hints are asked for again, once for all that changes in one go. */
  #everythingChanged(): void {
    if (this.#changing) return;
    this.#changing = true;
    setImmediate(() => {
      this.#changing = false;
      this.#refreshAll();
    });
  }

  #refreshAll(): void {
    if (this.#stopped) return;
    this.#explorer.refresh();
    this.#publisher?.everythingChanged();
    const { workspace } = this.#capabilities;
    const told = (error: unknown): void => this.#log.warn(`the client did not refresh: ${describeError(error)}`);
    if (workspace?.codeLens?.refreshSupport) this.#connection.sendRequest(CodeLensRefreshRequest.type).catch(told);
    if (workspace?.inlayHint?.refreshSupport) this.#connection.languages.inlayHint.refresh().catch(told);
  }

  #tellState(): void {
    if (this.#stopped) return;
    const state = this.#workspace.state;
    const mark = JSON.stringify(state);
    if (mark === this.#told) return;
    this.#told = mark;
    void this.#connection.sendNotification(ClusterStateChanged.method, state);
  }

  async #shutdown(): Promise<void> {
    this.#stopped = true;
    this.#explorer.dispose();
    this.#publisher?.dispose();
    await this.#pool.dispose();
  }
}
