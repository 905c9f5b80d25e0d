// LSP layer: a credential plugin that takes its time, as a progress that a person can cancel. A device code that it
// writes is shown there too.
import type { Connection } from "vscode-languageserver";
import type { PluginRun } from "../../cluster/live/credentials/exec-plugin.ts";

/** Milliseconds that most plugins need; whatever is done by then is not worth showing. */
const WORTH_SHOWING = 1_500;

export interface SignInProgress {
  /** Begins to show a run; the result ends it. */
  readonly onRun: (run: PluginRun, cancel: () => void) => () => void;
  /** A line that a plugin wrote for a person. */
  readonly onLine: (line: string) => void;
}

/** `shown` false: the client shows no progress. `failed` is told when it could not be shown. */
export function signInProgress(
  connection: Connection,
  shown: () => boolean,
  failed: (error: unknown) => void,
): SignInProgress {
  const reports = new Set<(line: string) => void>();
  let last = "";
  const onRun = ({ command }: PluginRun, cancel: () => void): (() => void) => {
    let ended = false;
    let end = (): void => undefined;
    last = "";
    const show = async (): Promise<void> => {
      const progress = await connection.window.createWorkDoneProgress();
      if (ended) return progress.done();
      progress.begin(`Signing in with ${command[0] ?? ""}`, undefined, last, true);
      progress.token.onCancellationRequested(cancel);
      const report = (line: string): void => progress.report(line);
      reports.add(report);
      end = () => {
        reports.delete(report);
        progress.done();
      };
    };
    const timer = setTimeout(() => void show().catch(failed), WORTH_SHOWING);
    return () => {
      ended = true;
      clearTimeout(timer);
      end();
    };
  };
  return {
    onRun: (run, cancel) => (shown() ? onRun(run, cancel) : () => undefined),
    onLine: (line) => {
      last = line;
      for (const report of reports) report(line);
    },
  };
}
