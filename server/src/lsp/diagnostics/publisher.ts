// LSP layer: diagnostics on their way to the client: pulled where it can pull, pushed where not, never both for one URI.
import {
  type CancellationToken,
  type Connection,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type Diagnostic as ProtocolDiagnostic,
} from "vscode-languageserver";
import type { ServerLog } from "../boundary.ts";
import { describeError } from "../boundary.ts";
import type { OpenDocument, OpenDocuments } from "../documents/open-documents.ts";
import { uriKey } from "../documents/uri.ts";
import { Debouncer } from "../settled.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { type CheckedFile, resultIdOf } from "./background-check.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { FileDiagnostics } from "./file-diagnostics.ts";
import { OpenDiagnostics } from "./open-diagnostics.ts";
import { WorkspacePull } from "./workspace-pull.ts";
import { WorkspaceRun } from "./workspace-run.ts";

export interface PublisherOptions {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly workspace: () => Workspace;
  readonly elsewhere: Elsewhere;
  readonly log: ServerLog;
  /** The client pulls documents; then nothing is pushed for open ones. */
  readonly pulls: boolean;
  /** The client asks for the workspace too; then nothing is pushed at all. */
  readonly pullsWorkspace: boolean;
  readonly refreshable: boolean;
  /** Milliseconds of pause in typing before an open document is judged (push only). */
  readonly delay: number;
}

/** Knows what the client was shown, and decides for every change whether to push, to ask it to pull, or to wait. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #typing: Debouncer;
  readonly #open: OpenDiagnostics;
  readonly #files: FileDiagnostics;
  readonly #pull: WorkspacePull;
  readonly #run: WorkspaceRun;
  /** What the client shows of pushed lists, by normal form of the URI: the spelling it was pushed under. */
  readonly #pushed = new Map<string, string>();
  #disposed = false;

  constructor(options: PublisherOptions) {
    const isOpen = (uri: string): boolean => options.documents.get(uri) !== null;
    this.#options = options;
    this.#typing = new Debouncer(options.delay);
    this.#open = new OpenDiagnostics(options);
    this.#pull = new WorkspacePull({ files: () => this.files, isOpen });
    this.#files = new FileDiagnostics({
      ...options,
      isOpen,
      onFile: (uri, diagnostics) => this.#pushFile(uri, diagnostics),
      onChange: () => this.#pull.tellChange(),
    });
    this.#run = new WorkspaceRun({ ...options, check: () => this.#checkWanted() });
  }

  /** The results of files that are not open, by normal form of the URI. */
  get files(): ReadonlyMap<string, CheckedFile> {
    return this.#files.files;
  }

  /** Whether the last check of the workspace stopped at its limit of files. */
  get truncated(): boolean {
    return this.#files.truncated;
  }

  opened(open: OpenDocument): void {
    const { uri } = open.document;
    this.#pull.opened(uri);
    // What was pushed for the closed file would stand beside what is pulled.
    if (this.#options.pulls) this.#pushFile(this.#pushed.get(uriKey(uri)) ?? uri, []);
    this.#judgeSoon(open, true);
  }

  changed(open: OpenDocument): void {
    const { settings } = this.#options.workspace().folderOf(open.document.uri);
    if (settings.run === "onType") this.#judgeSoon(open, false);
  }

  saved(open: OpenDocument): void {
    this.#options.workspace().folderOf(open.document.uri).quarantine.release(open.document.uri);
    this.#judgeSoon(open, true);
  }

  /** What stands on the disk counts again. */
  closed(uri: string): void {
    this.#typing.cancel(uriKey(uri));
    this.#open.closed(uri);
    this.#pull.closed(uri);
    this.#files.checkSoon(uri);
  }

  /** A file was written, made or deleted by somebody else than the editor. */
  fileChanged(uri: string): void {
    this.#options.workspace().folderOf(uri).quarantine.release(uri);
    this.#files.checkSoon(uri);
  }

  /** A folder was deleted: one event may stand for all that lay in it. */
  folderDeleted(uri: string): void {
    const prefix = `${uriKey(uri).replace(/\/$/, "")}/`;
    this.#files.forget((key) => key.startsWith(prefix));
  }

  /** Clusters, settings or a workspace file changed: everything is judged again, open documents first. */
  everythingChanged(): void {
    for (const open of this.#options.documents.all()) this.#push(open);
    if (this.#options.pulls && this.#options.refreshable) {
      this.#options.connection.languages.diagnostics.refresh().catch((error: unknown) => {
        this.#options.log.warn(`the client did not refresh: ${describeError(error)}`);
      });
    }
    this.checkInBackground();
  }

  /** Checks all folders in the background, now or when the run that is under way is through. */
  checkInBackground(): void {
    this.#run.start();
  }

  /** Checks folders now, all of them where none are given; resolves when done or cancelled. */
  async checkNow(
    token: CancellationToken,
    report: (checked: number) => void,
    folders: readonly WorkspaceFolder[] = this.#options.workspace().folders,
  ): Promise<void> {
    await this.#files.check(folders, token, report);
    if (this.#disposed) return;
    this.#pushAllFiles();
    this.#pull.tellChange();
  }

  /** textDocument/diagnostic. */
  pull(uri: string, previous: string | undefined): DocumentDiagnosticReport {
    const open = this.#options.documents.get(uri);
    if (open === null) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const items = this.#open.of(open);
    const resultId = resultIdOf(items);
    if (resultId === previous) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
  }

  /** workspace/diagnostic. */
  pullWorkspace(...asked: Parameters<WorkspacePull["answer"]>): ReturnType<WorkspacePull["answer"]> {
    return this.#pull.answer(...asked);
  }

  dispose(): void {
    this.#disposed = true;
    this.#files.dispose();
    this.#typing.dispose();
    this.#run.dispose();
    this.#pull.tellChange();
  }

  /** The check of the folders that want one; null where none does. */
  #checkWanted() {
    const workspace = this.#options.workspace();
    const folders = workspace.folders.filter((folder) => folder.settings.workspaceCheck.enabled);
    this.#files.forget((_, uri) => !workspace.folderOf(uri).settings.workspaceCheck.enabled);
    if (folders.length === 0) return null;
    return (token: CancellationToken, report: (checked: number) => void) => this.checkNow(token, report, folders);
  }

  #judgeSoon(open: OpenDocument, now: boolean): void {
    const key = uriKey(open.document.uri);
    if (this.#options.pulls) return;
    if (now) {
      this.#typing.cancel(key);
      this.#push(open);
    } else {
      this.#typing.run(key, () => {
        const current = this.#options.documents.get(open.document.uri);
        if (current !== null && current.opening === open.opening) this.#push(current);
      });
    }
  }

  #push(open: OpenDocument): void {
    if (this.#options.pulls) return;
    const { uri, version } = open.document;
    const diagnostics = this.#open.of(open);
    this.#pushed.set(uriKey(uri), uri);
    void this.#options.connection.sendDiagnostics({ uri, version, diagnostics });
  }

  #pushFile(uri: string, diagnostics: readonly ProtocolDiagnostic[]): void {
    if (this.#options.pullsWorkspace) return;
    const key = uriKey(uri);
    if (diagnostics.length === 0 && !this.#pushed.delete(key)) return;
    if (diagnostics.length > 0) this.#pushed.set(key, uri);
    void this.#options.connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] });
  }

  #pushAllFiles(): void {
    const open = new Set(this.#options.documents.all().map(({ document }) => uriKey(document.uri)));
    for (const [key, file] of this.files) if (!open.has(key)) this.#pushFile(file.uri, file.diagnostics);
    // Gone without an event, or left out by now.
    for (const [key, uri] of this.#pushed) if (!open.has(key) && !this.files.has(key)) this.#pushFile(uri, []);
  }
}
