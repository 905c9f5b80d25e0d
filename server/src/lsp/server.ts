// LSP layer: the server. Wires the protocol's messages to the parts that answer them; holds no rule.
import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type ConfigurationItem,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type InitializeParams,
  type InitializeResult,
  WatchKind,
} from "vscode-languageserver";
import {
  CheckWorkspace,
  ClusterStateChanged,
  GetClusterState,
  type InitializationOptions,
  SelectCluster,
  type SelectClusterParams,
  TrustGranted,
} from "../../../shared/src/protocol.ts";
import { SETTINGS_SECTION, type Settings } from "../../../shared/src/settings.ts";
import { readSettings } from "../../../shared/src/settings-reader.ts";
import { isManifestName } from "../analysis/file-walk.ts";
import { isKustomizationName } from "../analysis/kustomizations.ts";
import { createJudgeMemo } from "../features/diagnostics/judge.ts";
import { answer, describeError, orThrow, type ServerLog } from "./boundary.ts";
import { initializeResult } from "./capabilities.ts";
import { ClusterPool } from "./clusters/cluster-pool.ts";
import { contextFollower } from "./clusters/follow-context.ts";
import type { ClusterSource } from "./clusters/source.ts";
import { checkSummary } from "./diagnostics/check-summary.ts";
import { Elsewhere } from "./diagnostics/elsewhere.ts";
import { Publisher } from "./diagnostics/publisher.ts";
import type { ManifestSource } from "./documents/all-manifests.ts";
import { type AnalysedDocument, analyse, syncDocument } from "./documents/analysed.ts";
import { OpenDocuments } from "./documents/open-documents.ts";
import { Quarantine } from "./documents/quarantine.ts";
import { pathOf, uriKey } from "./documents/uri.ts";
import { ExplorerServer } from "./explorer/register.ts";
import { HIDDEN_SECTION, hiddenGlobs, readInitializationOptions, sectionOf } from "./initialization.ts";
import { registerFeatures } from "./register-features.ts";
import { registerPulls } from "./register-pulls.ts";
import { registerReports } from "./reports/register.ts";
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
  readonly #pool: ClusterPool;
  readonly #explorer: ExplorerServer;
  #workspace: Workspace;
  #publisher: Publisher | null = null;
  #capabilities: ClientCapabilities = {};
  #settings: Settings = readSettings(undefined).settings;
  #options: InitializationOptions = { trusted: false, cluster: null, commands: [] };
  readonly #failures = new Set<string>();
  /** Says nothing any more once the connection is closing. */
  readonly #log: ServerLog = {
    error: (message) => this.#tell(() => this.#connection.console.error(message)),
    warn: (message) => this.#tell(() => this.#connection.console.warn(message)),
    info: (message) => this.#tell(() => this.#connection.console.info(message)),
  };
  #trusted = false;
  #told = "";
  #distributing = false;
  #changing = false;
  #stopped = false;
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, host: ServerHost) {
    this.#connection = connection;
    this.#host = host;
    this.#pool = new ClusterPool({
      readStdin: host.readStdin,
      onChange: () => this.#clustersChanged(),
      followContext: contextFollower({
        kubeconfig: () => this.#settings.cluster.kubeconfig,
        extraPath: () => this.#settings.cluster.extraPath,
        storage: host.storage,
        log: (line) => this.#log.info(line),
        trusted: () => this.#trusted,
        environment: host.environment,
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
    this.#registerDocuments();
    registerPulls(connection, this.#log, () => this.#publisher);
    this.#registerClusters();
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
    registerReports(connection, {
      log: this.#log,
      memo: this.#memo,
      environment: this.#host.environment,
      workspace: () => this.#workspace,
      analysed: (uri) => this.#analysed(uri),
      manifests: () => this.#manifests,
      settings: () => this.#settings,
      trusted: () => this.#trusted,
    });
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
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [
          { globPattern: "**/*.{yaml,yml,json}" },
          { globPattern: "**/Kustomization" },
          { globPattern: "**/.gitignore" },
          // A folder that goes takes its files along in one event of its own.
          { globPattern: "**", kind: WatchKind.Delete },
        ],
      });
    }
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

  #registerDocuments(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
      const open = this.#documents.open(uri, languageId, version, text);
      if (open === null) return;
      syncDocument(open, this.#workspace.folderOf(uri));
      this.#publisher?.opened(open);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const open = this.#documents.change(uri, version, contentChanges);
      if (open === null) return;
      this.#typedAt = performance.now();
      syncDocument(open, this.#workspace.folderOf(uri));
      this.#publisher?.changed(open);
    });
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const open = this.#documents.get(uri);
      if (open !== null) this.#publisher?.saved(open);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      if (!this.#documents.close(uri)) return;
      this.#workspace.folderOf(uri).session.removeFile(uriKey(uri));
      if (this.#capabilities.textDocument?.diagnostic === undefined) {
        void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
      }
      this.#publisher?.closed(uri);
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri, type } of changes) void this.#fileChanged(uri, type);
    });
    connection.onDidChangeConfiguration(({ settings }) => void this.#readSettings(settings));
  }

  #registerClusters(): void {
    const connection = this.#connection;
    connection.onRequest(SelectCluster.method, async (params: SelectClusterParams, token) =>
      answer("select cluster", this.#log, token, this.#workspace.state, async () => {
        this.#workspace.setChoice(params.choice);
        await this.#refreshSources();
        return this.#workspace.state;
      }).then(orThrow),
    );
    connection.onRequest(GetClusterState.method, () => this.#workspace.state);
    connection.onNotification(TrustGranted.method, () => {
      this.#trusted = true;
      // What was refused before is tried again.
      this.#pool.keepOnly([]);
      void this.#refreshSources();
    });
    connection.onRequest(CheckWorkspace.method, async (_params, token) =>
      answer("check workspace", this.#log, token, checkSummary([], false), async () => {
        await this.#publisher?.checkNow(token, () => undefined);
        return checkSummary([...(this.#publisher?.files.values() ?? [])], this.#publisher?.truncated ?? false);
      }).then(orThrow),
    );
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
        onRuleFailure: (code, error) => this.#ruleFailed(code, error),
      },
      this.#settings,
    );
  }

  #tell(say: () => void): void {
    if (!this.#stopped) say();
  }

  /** Told once for each rule and error: every key stroke would say it again. */
  #ruleFailed(code: string, error: unknown): void {
    // The stack differs by who asked.
    const mark = `${code} ${error}`;
    if (this.#failures.has(mark)) return;
    this.#failures.add(mark);
    this.#log.error(`the rule ${code} failed: ${describeError(error)}`);
  }

  async #readSettings(pushed?: unknown): Promise<void> {
    const askable = this.#capabilities.workspace?.configuration === true;
    for (const folder of this.#workspace.all) {
      const [section, hidden] = askable ? await this.#ask(folder) : [sectionOf(pushed)];
      if (section === undefined && !askable) continue;
      const { settings, problems } = readSettings(section);
      for (const { key, message } of problems) this.#log.warn(`${key}: ${message}`);
      if (folder.path === null) this.#settings = settings;
      folder.setSettings(settings);
      folder.setHidden(hiddenGlobs(hidden));
    }
    await this.#refreshSources();
    this.#everythingChanged();
  }

  /** Our section of the client's settings, and what its user hides. */
  async #ask(folder: WorkspaceFolder): Promise<readonly unknown[]> {
    const scope = folder.uri === "" ? {} : { scopeUri: folder.uri };
    const items: ConfigurationItem[] = [SETTINGS_SECTION, HIDDEN_SECTION].map((section) => ({ section, ...scope }));
    try {
      return await this.#connection.workspace.getConfiguration(items);
    } catch (error) {
      this.#log.warn(`the client did not tell its settings: ${describeError(error)}`);
      return [];
    }
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

  async #fileChanged(uri: string, type: FileChangeType): Promise<void> {
    const name = uri.slice(uri.lastIndexOf("/") + 1);
    const folder = this.#workspace.folderOf(uri);
    const path = pathOf(uri);
    if (folder.isWorkspaceFile(uri)) {
      this.#publisher?.fileChanged(uri);
      if (folder.readWorkspaceFile()) {
        await this.#refreshSources();
        this.#everythingChanged();
      }
      return;
    }
    for (const source of this.#workspace.sources) {
      if (source.kind !== "file" || path === null) continue;
      if (path === source.path || path.startsWith(`${source.path}/`)) await this.#pool.refresh(source);
    }
    if (isKustomizationName(name)) folder.forgetKustomizations();
    if (name === ".gitignore") return this.#publisher?.checkInBackground();
    // A folder may be named like a file; which of the two is gone nobody can tell any more.
    if (type === FileChangeType.Deleted) this.#publisher?.folderDeleted(uri);
    if (type !== FileChangeType.Deleted || isManifestName(name)) this.#publisher?.fileChanged(uri);
  }

  async #shutdown(): Promise<void> {
    this.#stopped = true;
    this.#explorer.dispose();
    this.#publisher?.dispose();
    await this.#pool.dispose();
  }
}
