// LSP layer: workspace/diagnostic: what the client has not seen yet of the files that are not open.
import {
  type CancellationToken,
  DocumentDiagnosticReportKind,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import { uriKey } from "../documents/uri.ts";
import type { CheckedFile } from "./background-check.ts";

/** A result that the client says it holds. */
interface Held {
  readonly uri: string;
  /** The result's id. */
  readonly value: string;
}

export interface WorkspacePullOptions {
  /** Results of files that are not open, by normal form of the URI. */
  readonly files: () => ReadonlyMap<string, CheckedFile>;
  readonly isOpen: (uri: string) => boolean;
}

/** Remembers what the client is owed beside what changed. */
export class WorkspacePull {
  readonly #options: WorkspacePullOptions;
  /**
   * Documents that were closed, by normal form of the URI: the client may still show what it pulled for them, and no longer
   * tells which result that was. The next report owes them an answer, be it an empty one.
   */
  readonly #owed = new Map<string, string>();
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(options: WorkspacePullOptions) {
    this.#options = options;
  }

  opened(uri: string): void {
    this.#owed.delete(uriKey(uri));
  }

  closed(uri: string): void {
    this.#owed.set(uriKey(uri), uri);
  }

  /** Results may have changed: who waits looks again. */
  tellChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /**
   * What changed since the results that the client holds; waits where nothing did, since clients ask again at once. Open
   * documents are left to textDocument/diagnostic.
   */
  async answer(
    previous: readonly Held[],
    token: CancellationToken,
    partial: ((part: WorkspaceDiagnosticReportPartialResult) => void) | null,
  ): Promise<WorkspaceDiagnosticReport> {
    const held = new Map(previous.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
    for (;;) {
      const items = this.#reports(held);
      if (items.length > 0 || token.isCancellationRequested) {
        if (partial === null) return { items };
        partial({ items });
        return { items: [] };
      }
      await this.#nextChange(token);
    }
  }

  #reports(held: ReadonlyMap<string, Held>): WorkspaceDocumentDiagnosticReport[] {
    const { isOpen } = this.#options;
    const files = this.#options.files();
    const reports: WorkspaceDocumentDiagnosticReport[] = [];
    for (const [key, { uri, resultId, diagnostics }] of files) {
      if (isOpen(uri)) continue;
      const owed = this.#owed.delete(key);
      if (!owed && (held.get(key)?.value === resultId || (diagnostics.length === 0 && !held.has(key)))) continue;
      reports.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, resultId, items: [...diagnostics] });
    }
    const known = new Map([...[...held].map(([key, { uri }]) => [key, uri] as const), ...this.#owed]);
    for (const [key, uri] of known) {
      if (files.has(key) || isOpen(uri)) continue;
      this.#owed.delete(key);
      reports.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, items: [] });
    }
    return reports;
  }

  #nextChange(token: CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      const listener = token.onCancellationRequested(() => resolve());
      void this.#changed.promise.then(() => {
        listener.dispose();
        resolve();
      });
    });
  }
}
