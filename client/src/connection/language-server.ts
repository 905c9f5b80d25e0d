// Client: the language server as the rest of the client sees it: started, asked, restarted, given up.
import { type CancellationToken, type Disposable, EventEmitter, type LogOutputChannel } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { InitializationOptions, NotificationName, RequestName } from "../../../shared/src/protocol.ts";
import type { ServerPhase } from "../cluster/status-words.ts";
import { texts } from "../texts.ts";
import { type Crash, judgeCrash } from "./crash-policy.ts";
import type { Suspects } from "./suspects.ts";

export interface LanguageServerSetup {
  readonly serverModule: string;
  readonly storage: string;
  readonly languages: () => readonly string[];
  readonly log: LogOutputChannel;
  readonly initializationOptions: () => InitializationOptions;
  readonly suspects: Suspects;
}

/** What happened to the process without anybody asking. */
export interface CrashReport {
  readonly restarted: boolean;
  /** Crashes in the last three minutes. */
  readonly count: number;
  /** URI of the document that the new process does not read; null when there is none. */
  readonly quarantined: string | null;
}

/**
 * One client object for the life of the extension; it is replaced only where the library cannot reuse it (a start that
 * failed, other languages). Starts, stops and restarts wait for each other, so that ten restarts leave one process.
 */
export class LanguageServer implements Disposable {
  readonly #setup: LanguageServerSetup;
  readonly #phaseChanged = new EventEmitter<ServerPhase>();
  readonly #crashed = new EventEmitter<CrashReport>();
  readonly #handlers: ((client: LanguageClient) => void)[] = [];
  #client: LanguageClient | null = null;
  #crashes: readonly Crash[] = [];
  #queue: Promise<void> = Promise.resolve();
  #phase: ServerPhase = "starting";

  constructor(setup: LanguageServerSetup) {
    this.#setup = setup;
  }

  readonly onPhaseChanged = this.#phaseChanged.event;
  readonly onCrashed = this.#crashed.event;

  get phase(): ServerPhase {
    return this.#phase;
  }

  /** Handles a notification of the server, in this process and every later one. Call before `start`. */
  onNotification<Params>(name: NotificationName<Params>, handler: (params: Params) => void): void {
    this.#handlers.push((client) => client.onNotification(name.method, handler));
  }

  /** Answers a request of the server, in this process and every later one. Call before `start`. */
  onRequest<Params, Result>(name: RequestName<Params, Result>, handler: (params: Params) => Promise<Result>): void {
    this.#handlers.push((client) =>
      client.onRequest(name.method, async (params: Params): Promise<unknown> => handler(params)),
    );
  }

  /** Starts the process. Resolves when the server is ready; rejects with a text for people when it cannot be. */
  start(): Promise<void> {
    return this.#enqueue(() => this.#startNow());
  }

  /** Ends the process and starts a new one; earlier crashes are forgotten, since a person asked. */
  restart(): Promise<void> {
    return this.#enqueue(async () => {
      this.#crashes = [];
      this.#setup.suspects.acquit();
      await this.#stopNow();
      await this.#startNow();
    });
  }

  /** As `restart`, for changes that a client object takes only when it is made. */
  recreate(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#discard();
      await this.#startNow();
    });
  }

  /** Asks the server. Rejects with a text for people when it is down or fails, and with the library's error when cancelled. */
  async request<Params, Result>(
    name: RequestName<Params, Result>,
    params: Params,
    token?: CancellationToken,
  ): Promise<Result> {
    await this.#queue.catch(() => undefined);
    if (this.#client === null || !this.#client.isRunning()) throw new Error(texts.server.notRunning());
    // An absent token must not be passed on: the library would send it as a second parameter.
    return token
      ? this.#client.sendRequest<Result>(name.method, params, token)
      : this.#client.sendRequest<Result>(name.method, params);
  }

  /** Tells the server something; nothing happens while it is down, since a new process learns it at the start. */
  async notify<Params>(name: NotificationName<Params>, params: Params): Promise<void> {
    if (this.#client?.isRunning()) await this.#client.sendNotification(name.method, params);
  }

  /** The process, for tests that kill it. */
  processId(): number | null {
    return this.#client?.serverProcess?.pid ?? null;
  }

  async stop(): Promise<void> {
    await this.#enqueue(() => this.#discard());
  }

  dispose(): void {
    this.#phaseChanged.dispose();
    this.#crashed.dispose();
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const next = this.#queue.then(step, step);
    this.#queue = next;
    return next;
  }

  async #startNow(): Promise<void> {
    if (this.#client?.isRunning()) return;
    this.#setPhase("starting");
    try {
      // The library refuses to start an object again whose start failed.
      if (this.#client?.state === START_FAILED) await this.#discard();
      this.#client ??= await this.#create();
      await this.#client.start();
      this.#setPhase("running");
    } catch (error) {
      await this.#discard();
      this.#setPhase("stopped");
      throw new Error(texts.server.failed(error instanceof Error ? error.message : String(error)), { cause: error });
    }
  }

  async #stopNow(): Promise<void> {
    if (this.#client?.needsStop()) await this.#client.stop();
  }

  async #discard(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    try {
      await client?.dispose();
    } catch (error) {
      // A process that is already gone cannot be asked to stop; nothing is left to clean up.
      this.#setup.log.debug(`Discarding the client: ${String(error)}`);
    }
  }

  async #create(): Promise<LanguageClient> {
    const { createLanguageClient } = await import("./language-client.ts");
    const client = createLanguageClient({
      serverModule: this.#setup.serverModule,
      storage: this.#setup.storage,
      languages: this.#setup.languages(),
      log: this.#setup.log,
      initializationOptions: () => ({
        ...this.#setup.initializationOptions(),
        quarantined: this.#setup.suspects.quarantined,
      }),
      onCrash: () => this.#judge(),
    });
    for (const attach of this.#handlers) attach(client);
    // The library restarts a crashed process by itself; this tells when it is up again.
    client.onDidChangeState(({ newState }) => {
      if (client !== this.#client) return;
      if (newState === RUNNING) this.#setPhase("running");
      if (newState === START_FAILED) this.#setPhase("stopped");
    });
    return client;
  }

  #judge(): { readonly restart: boolean } {
    const { suspects } = this.#setup;
    const verdict = judgeCrash(this.#crashes, { at: Date.now(), suspect: suspects.last });
    this.#crashes = verdict.crashes;
    if (verdict.quarantine !== null) suspects.quarantine(verdict.quarantine);
    this.#setPhase(verdict.restart ? "starting" : "stopped");
    this.#crashed.fire({ restarted: verdict.restart, count: verdict.count, quarantined: verdict.quarantine });
    return verdict;
  }

  #setPhase(phase: ServerPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#phaseChanged.fire(phase);
  }
}

/** `State` of the library, which is not loaded here. */
const RUNNING = 2;
const START_FAILED = 4;
