// LSP layer: diagnostics on their way to the client: pulled where it can pull, pushed where not, never both for one URI.
import {
  type CancellationToken,
  type Connection,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type Diagnostic as ProtocolDiagnostic,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import type { DocumentNoteParams } from "../../../../shared/src/protocol.ts";
import { DocumentNote } from "../../../../shared/src/protocol.ts";
import { DISK } from "../../analysis/disk.ts";
import { reaches } from "../../analysis/file-walk.ts";
import type { ServerLog } from "../boundary.ts";
import { describeError } from "../boundary.ts";
import { toProtocolDiagnostic } from "../convert/diagnostic.ts";
import { type AnalysedDocument, analyse } from "../documents/analysed.ts";
import type { OpenDocument, OpenDocuments } from "../documents/open-documents.ts";
import { uriKey } from "../documents/uri.ts";
import { Debouncer } from "../settled.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { type CheckedFile, checkFile, checkFolder, resultIdOf } from "./background-check.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { limited } from "./limit.ts";
import { leftAloneNotice, noteOf } from "./note.ts";
import { workspaceFileDiagnostics } from "./workspace-file.ts";

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

/** A document whose reading crashed this often is left alone for the session. */
const CRASHES = 2;
/** Milliseconds after which a run over the workspace is let finish: a live cluster changes all the time. */
const FAR = 1_000;

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #typing: Debouncer;
  /** Results of files that are not open, by normal form of the URI. */
  readonly #files = new Map<string, CheckedFile>();
  /** What the client shows of pushed lists, by normal form of the URI: the spelling it was pushed under. */
  readonly #pushed = new Map<string, string>();
  /**
   * Documents that were closed, by normal form of the URI: the client may still show what it pulled for them, and no longer
   * tells which result that was. The next workspace report owes them an answer, be it an empty one.
   */
  readonly #owed = new Map<string, string>();
  readonly #notes = new Map<string, string>();
  readonly #crashes = new Map<string, number>();
  readonly #touched = new Map<string, string>();
  #passing = false;
  #disposed = false;
  #run: { cancelled: boolean; readonly started: number } | null = null;
  #again = false;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();
  #truncated = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#typing = new Debouncer(options.delay);
  }

  /** The results of files that are not open. */
  get files(): ReadonlyMap<string, CheckedFile> {
    return this.#files;
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  opened(open: OpenDocument): void {
    const { uri } = open.document;
    this.#owed.delete(uriKey(uri));
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
    this.#note(uri, { note: null, message: "" });
    this.#notes.delete(uriKey(uri));
    this.#owed.set(uriKey(uri), uri);
    this.#checkSoon(uri);
  }

  /** A file was written, made or deleted by somebody else than the editor. */
  fileChanged(uri: string): void {
    this.#options.workspace().folderOf(uri).quarantine.release(uri);
    this.#checkSoon(uri);
  }

  /** Checks a file that is not open. A burst of such calls is one pass, a file at a time. */
  #checkSoon(uri: string): void {
    this.#touched.set(uriKey(uri), uri);
    if (this.#passing) return;
    this.#passing = true;
    void this.#passTouched().finally(() => {
      this.#passing = false;
      this.#tellChange();
    });
  }

  async #passTouched(): Promise<void> {
    // Files that are touched meanwhile, the same ones again included, come up at the end of the loop.
    for (const [key, uri] of this.#touched) {
      this.#touched.delete(key);
      try {
        await this.#checkTouched(key, uri);
      } catch (error) {
        this.#options.log.error(`${uri}: ${describeError(error)}`);
      }
    }
  }

  async #checkTouched(key: string, uri: string): Promise<void> {
    if (this.#options.documents.get(uri) !== null) return;
    const folder = this.#options.workspace().folderOf(uri);
    const path = key.startsWith("file:") ? key.slice("file:".length) : null;
    const wanted =
      path !== null &&
      folder.path !== null &&
      folder.settings.workspaceCheck.enabled &&
      !folder.hides(path) &&
      reaches(folder.path, path, DISK);
    const file = wanted ? await checkFile(folder, path, this.#options.elsewhere) : null;
    // Opened while it was read: what the editor holds counts.
    if (this.#disposed || this.#options.documents.get(uri) !== null) return;
    if (file === null) this.#files.delete(key);
    else this.#files.set(key, file);
    this.#pushFile(uri, file?.diagnostics ?? []);
  }

  /** A folder was deleted: one event may stand for all that lay in it. */
  folderDeleted(uri: string): void {
    const prefix = `${uriKey(uri).replace(/\/$/, "")}/`;
    this.#forget((key) => key.startsWith(prefix));
  }

  /** Takes back the results of files that are not open. */
  #forget(gone: (key: string, uri: string) => boolean): void {
    const before = this.#files.size;
    for (const [key, { uri }] of this.#files) {
      if (!gone(key, uri)) continue;
      this.#files.delete(key);
      this.#pushFile(uri, []);
    }
    if (this.#files.size !== before) this.#tellChange();
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

  /** Checks all folders in the background; a run that has just begun begins anew, another one is followed by the next. */
  checkInBackground(): void {
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
      this.checkInBackground();
    });
  }

  /** Checks folders now, all of them where none are given; resolves when done or cancelled. */
  async checkNow(
    token: CancellationToken,
    report: (checked: number) => void,
    folders: readonly WorkspaceFolder[] = this.#options.workspace().folders,
  ): Promise<void> {
    for (const folder of folders) {
      const steps = checkFolder(folder, this.#files, this.#options.elsewhere, token);
      for (let step = await steps.next(); ; step = await steps.next()) {
        if (step.done) {
          this.#truncated = step.value;
          break;
        }
        report(step.value.checked);
      }
    }
    if (this.#disposed) return;
    this.#pushAllFiles();
    this.#tellChange();
  }

  /** textDocument/diagnostic. */
  pull(uri: string, previous: string | undefined): DocumentDiagnosticReport {
    const open = this.#options.documents.get(uri);
    if (open === null) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const items = this.#diagnosticsOf(open);
    const resultId = resultIdOf(items);
    if (resultId === previous) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
  }

  /**
   * workspace/diagnostic: what changed since the ids that the client holds; waits where nothing did, since clients ask
   * again at once. Open documents are left to textDocument/diagnostic.
   */
  async pullWorkspace(
    previous: readonly { readonly uri: string; readonly value: string }[],
    token: CancellationToken,
    partial: ((part: WorkspaceDiagnosticReportPartialResult) => void) | null,
  ): Promise<WorkspaceDiagnosticReport> {
    const held = new Map(previous.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
    for (;;) {
      const items = this.#workspaceReports(held);
      if (items.length > 0 || token.isCancellationRequested) {
        if (partial === null) return { items };
        partial({ items });
        return { items: [] };
      }
      await this.#nextChange(token);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#touched.clear();
    this.#typing.dispose();
    if (this.#run !== null) this.#run.cancelled = true;
    this.#again = false;
    this.#changed.resolve();
  }

  #workspaceReports(
    held: ReadonlyMap<string, { readonly uri: string; readonly value: string }>,
  ): WorkspaceDocumentDiagnosticReport[] {
    const reports: WorkspaceDocumentDiagnosticReport[] = [];
    const isOpen = (uri: string): boolean => this.#options.documents.get(uri) !== null;
    for (const [key, file] of this.#files) {
      if (isOpen(file.uri)) continue;
      const owed = this.#owed.delete(key);
      if (!owed && (held.get(key)?.value === file.resultId || (file.diagnostics.length === 0 && !held.has(key))))
        continue;
      const items = [...file.diagnostics];
      reports.push({
        kind: DocumentDiagnosticReportKind.Full,
        uri: file.uri,
        version: null,
        resultId: file.resultId,
        items,
      });
    }
    const known = new Map([...[...held].map(([key, { uri }]) => [key, uri] as const), ...this.#owed]);
    for (const [key, uri] of known) {
      if (this.#files.has(key) || isOpen(uri)) continue;
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

  #tellChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #checkAll(run: { readonly cancelled: boolean }): Promise<void> {
    const { connection, workspace, log } = this.#options;
    const folders = workspace().folders.filter((folder) => folder.settings.workspaceCheck.enabled);
    this.#forget((_, uri) => !workspace().folderOf(uri).settings.workspaceCheck.enabled);
    if (folders.length === 0) return;
    const progress = await connection.window.createWorkDoneProgress().catch(() => null);
    const token: CancellationToken = {
      get isCancellationRequested() {
        return run.cancelled || (progress?.token.isCancellationRequested ?? false);
      },
      onCancellationRequested: () => ({ dispose: () => undefined }),
    };
    progress?.begin("Taintwise", 0, "checking manifests", true);
    let told = performance.now();
    try {
      await this.checkNow(
        token,
        (checked) => {
          if (performance.now() - told < 500) return;
          told = performance.now();
          progress?.report(`${checked} files`);
        },
        folders,
      );
    } catch (error) {
      if (this.#disposed) return;
      log.error(`checking the workspace: ${describeError(error)}`);
    } finally {
      progress?.done();
    }
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
    const diagnostics = this.#diagnosticsOf(open);
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
    for (const [key, file] of this.#files) if (!open.has(key)) this.#pushFile(file.uri, file.diagnostics);
    // Gone without an event, or left out by now.
    for (const [key, uri] of this.#pushed) if (!open.has(key) && !this.#files.has(key)) this.#pushFile(uri, []);
  }

  /** The problems of an open document; a rule that crashes costs this document its results, not the server its life. */
  #diagnosticsOf(open: OpenDocument): ProtocolDiagnostic[] {
    const { uri } = open.document;
    const key = uriKey(uri);
    if ((this.#crashes.get(key) ?? 0) >= CRASHES) return [];
    try {
      const folder = this.#options.workspace().folderOf(uri);
      if (folder.isWorkspaceFile(uri)) return workspaceFileDiagnostics(open.document.getText());
      const document = analyse(open, folder);
      this.#note(uri, noteOf(document));
      return [...leftAloneNotice(document), ...this.convert(document)];
    } catch (error) {
      const crashes = (this.#crashes.get(key) ?? 0) + 1;
      this.#crashes.set(key, crashes);
      this.#options.log.error(`${uri}: ${describeError(error)}`);
      this.#note(uri, {
        note: "failed",
        message: "Taintwise failed on this document; see the log. It is not checked.",
      });
      return [];
    }
  }

  /** The document's problems as the protocol has them. */
  convert(document: AnalysedDocument): ProtocolDiagnostic[] {
    const { uri, lines, diagnostics, folder } = document;
    const around = { uri, lines, elsewhere: this.#options.elsewhere.of.bind(this.#options.elsewhere) };
    return limited(
      diagnostics.map((each) => toProtocolDiagnostic(each, around)),
      folder.settings.maxProblems,
    );
  }

  #note(uri: string, note: Omit<DocumentNoteParams, "uri">): void {
    const key = uriKey(uri);
    if ((this.#notes.get(key) ?? "") === note.message) return;
    this.#notes.set(key, note.message);
    void this.#options.connection.sendNotification(DocumentNote.method, { uri, ...note });
  }
}
