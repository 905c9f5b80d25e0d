// LSP layer: one check of the workspace after the other, in the background, with progress that can be cancelled.
import type { CancellationToken, Connection } from "vscode-languageserver";
import { describeError, type ServerLog } from "../boundary.ts";

export interface WorkspaceRunOptions {
  readonly connection: Connection;
  readonly log: ServerLog;
  /** Checks what there is to check; null where nothing is. */
  readonly check: () => ((token: CancellationToken, report: (checked: number) => void) => Promise<void>) | null;
}

/** Milliseconds after which a run is let finish: a live cluster changes all the time. */
const FAR = 1_000;
/** Milliseconds between two lines of progress. */
const TOLD_EVERY = 500;

/** At most one run at a time; what comes up meanwhile is one more run behind it. */
export class WorkspaceRun {
  readonly #options: WorkspaceRunOptions;
  #run: { cancelled: boolean; readonly started: number } | null = null;
  #again = false;
  #disposed = false;

  constructor(options: WorkspaceRunOptions) {
    this.#options = options;
  }

  /** Starts a run; one that has just begun begins anew, another one is followed by the next. */
  start(): void {
    if (this.#run !== null) {
      this.#run.cancelled = performance.now() - this.#run.started < FAR;
      this.#again = true;
      return;
    }
    const run = { cancelled: false, started: performance.now() };
    this.#run = run;
    void this.#checkAll(run).finally(() => {
      this.#run = null;
      if (!this.#again || this.#disposed) return;
      this.#again = false;
      this.start();
    });
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#run !== null) this.#run.cancelled = true;
    this.#again = false;
  }

  async #checkAll(run: { readonly cancelled: boolean }): Promise<void> {
    const check = this.#options.check();
    if (check === null) return;
    const progress = await this.#options.connection.window.createWorkDoneProgress().catch(() => null);
    const token: CancellationToken = {
      get isCancellationRequested() {
        return run.cancelled || (progress?.token.isCancellationRequested ?? false);
      },
      onCancellationRequested: () => ({ dispose: () => undefined }),
    };
    progress?.begin("Taintwise", 0, "checking manifests", true);
    let told = performance.now();
    try {
      await check(token, (checked) => {
        if (performance.now() - told < TOLD_EVERY) return;
        told = performance.now();
        progress?.report(`${checked} files`);
      });
    } catch (error) {
      if (!this.#disposed) this.#options.log.error(`checking the workspace: ${describeError(error)}`);
    } finally {
      progress?.done();
    }
  }
}
