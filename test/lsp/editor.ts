// Test support: an editor at the other end of a real connection (streams in memory), with a workspace on the disk.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  type CodeAction,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  FileChangeType,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
  TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { ClusterSource } from "../../server/src/lsp/clusters/source.ts";
import { serve } from "../../server/src/lsp/server.ts";
import type { InitializationOptions, NotificationName, RequestName } from "../../shared/src/protocol.ts";

export interface EditorOptions {
  /** Files of the workspace by their path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The `taintwise` section of the settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `push`: an editor that knows nothing but pushed diagnostics; `pull`: one that asks for documents and the workspace. */
  readonly mode?: "push" | "pull";
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<InitializationOptions> | null;
  /** More options, of which some name files by their URI. */
  readonly lazyOptions?: (uri: (path: string) => string) => Partial<InitializationOptions>;
  readonly sources?: readonly ClusterSource[];
  readonly now?: () => number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Folders of the workspace, relative to its place on the disk; the place itself where left out. */
  readonly folders?: readonly string[];
}

/** Whatever a test waits for comes within this many milliseconds, or the test fails. */
const PATIENCE = 10_000;

export class Editor {
  readonly root: string;
  readonly connection: ProtocolConnection;
  /** Every push, in order. */
  readonly pushes: PublishDiagnosticsParams[] = [];
  readonly log: string[] = [];
  readonly requested: string[] = [];
  settings: Readonly<Record<string, unknown>>;
  readonly #texts = new Map<string, TextDocument>();

  constructor(root: string, connection: ProtocolConnection, settings: Readonly<Record<string, unknown>>) {
    this.root = root;
    this.connection = connection;
    this.settings = settings;
  }

  uri(path: string): string {
    return path.includes(":") ? path : pathToFileURL(join(this.root, path)).href;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  open(path: string, text: string, version = 1): void {
    const uri = this.uri(path);
    this.#texts.set(uri, TextDocument.create(uri, "yaml", version, text));
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version, text } });
  }

  /** Replaces the whole text, or applies changes. */
  change(path: string, changes: string | TextDocumentContentChangeEvent[]): void {
    const uri = this.uri(path);
    const contentChanges = typeof changes === "string" ? [{ text: changes }] : changes;
    const before = this.document(path);
    const version = before.version + 1;
    const after = TextDocument.update(
      TextDocument.create(uri, "yaml", before.version, before.getText()),
      contentChanges,
      version,
    );
    this.#texts.set(uri, after);
    this.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
  }

  save(path: string): void {
    if (!path.includes(":")) this.write(path, this.document(path).getText());
    this.notify("textDocument/didSave", { textDocument: { uri: this.uri(path) } });
  }

  close(path: string): void {
    this.#texts.delete(this.uri(path));
    this.notify("textDocument/didClose", { textDocument: { uri: this.uri(path) } });
  }

  document(path: string): TextDocument {
    const document = this.#texts.get(this.uri(path));
    if (document === undefined) throw new Error(`${path} is not open`);
    return document;
  }

  notify<Params>(what: string | NotificationName<Params>, params: Params): void {
    void this.connection.sendNotification(typeof what === "string" ? what : what.method, params);
  }

  request<Params, Result>(what: RequestName<Params, Result>, params: Params): Promise<Result> {
    return this.connection.sendRequest(what.method, params);
  }

  /** A request about a document; the method without `textDocument/`. */
  ask<Result>(method: string, path: string, rest: object = {}): Promise<Result> {
    return this.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: this.uri(path) }, ...rest });
  }

  /** A file changed outside of the editor. */
  touched(path: string, type: FileChangeType = FileChangeType.Changed): void {
    this.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: this.uri(path), type }] });
  }

  async pull(path: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.ask("diagnostic", path, previousResultId === undefined ? {} : { previousResultId });
  }

  async pulled(path: string): Promise<readonly Diagnostic[]> {
    const report = await this.pull(path);
    return report.kind === "full" ? report.items : [];
  }

  /** The last push for a document; undefined when there was none. */
  pushed(path: string): readonly Diagnostic[] | undefined {
    return this.pushes.findLast(({ uri }) => uri === this.uri(path))?.diagnostics;
  }

  /** The diagnostics pushed for a document, once they pass; fails with the last ones when they never do. */
  async pushedWhen(
    path: string,
    passes: (diagnostics: readonly Diagnostic[]) => boolean = () => true,
  ): Promise<readonly Diagnostic[]> {
    return until(
      () => {
        const found = this.pushed(path);
        return found !== undefined && passes(found) ? found : undefined;
      },
      () => `${path}: ${this.pushed(path)?.map(brief).join("\n") ?? "nothing was pushed"}`,
    );
  }

  /** The code actions of kind at a range, or where the text stands. */
  async actions(path: string, at: Range | string, only?: readonly string[]): Promise<readonly CodeAction[]> {
    const range = typeof at === "string" ? this.rangeOf(path, at) : at;
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    return this.ask("codeAction", path, { range, context });
  }

  /** The range of the first occurrence of a text. */
  rangeOf(path: string, text: string): Range {
    const document = this.document(path);
    const offset = document.getText().indexOf(text);
    if (offset < 0) throw new Error(`«${text}» is not in ${path}`);
    return { start: document.positionAt(offset), end: document.positionAt(offset + text.length) };
  }

  /** A position inside the first occurrence of a text. */
  inside(path: string, text: string): { readonly position: Range["start"] } {
    const { start } = this.rangeOf(path, text);
    return { position: { line: start.line, character: start.character + 1 } };
  }

  /** The document's text after an edit, which must name the version the editor has. */
  applied(path: string, edit: WorkspaceEdit | undefined): string {
    return TextDocument.applyEdits(this.document(path), [...this.editsOf(path, edit)]);
  }

  editsOf(path: string, edit: WorkspaceEdit | undefined): readonly TextEdit[] {
    const uri = this.uri(path);
    const changes = (edit?.documentChanges ?? []).filter((change) => TextDocumentEdit.is(change));
    return changes.flatMap(({ textDocument, edits }) => {
      if (textDocument.uri !== uri) return [];
      if (textDocument.version !== null && textDocument.version !== this.document(path).version) {
        throw new Error(`the edit is for version ${textDocument.version}`);
      }
      return edits.filter((each) => "newText" in each);
    });
  }

  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = settings;
    await this.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
  }
}

/** Starts a server and an editor, which are gone when the test ends. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "taintwise-lsp-")));
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serve(server, {
    sources: (options.sources ?? []).map((source) =>
      source.kind === "file" ? { ...source, path: join(root, source.path) } : source,
    ),
    readStdin: () => Promise.reject(new Error("no standard input")),
    environment: options.environment ?? {},
    storage: null,
    now: options.now ?? (() => 0),
    exit: () => undefined,
  });
  server.listen();
  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const editor = new Editor(root, connection, options.settings ?? {});
  for (const [path, text] of Object.entries(options.files ?? {})) editor.write(path, text);
  listen(editor);
  connection.listen();
  onTestFinished(async () => {
    await connection.sendRequest("shutdown").catch(() => undefined);
    connection.dispose();
    server.dispose();
    rmSync(root, { recursive: true, force: true });
  });
  const pull = options.mode === "pull";
  await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    workspaceFolders: (options.folders ?? [""]).map((name) => ({
      uri: pathToFileURL(join(root, name)).href.replace(/\/$/, ""),
      name: "workspace",
    })),
    capabilities: {
      workspace: {
        configuration: true,
        workspaceFolders: true,
        ...(pull ? { diagnostics: { refreshSupport: true }, codeLens: { refreshSupport: true } } : {}),
      },
      textDocument: {
        completion: { completionItem: { snippetSupport: true } },
        ...(pull ? { diagnostic: { dynamicRegistration: false } } : { publishDiagnostics: { versionSupport: true } }),
      },
      ...options.capabilities,
    },
    initializationOptions:
      options.options === null
        ? null
        : {
            ...(options.options ?? { trusted: true, cluster: null, commands: [] }),
            ...options.lazyOptions?.((path) => editor.uri(path)),
          },
  });
  await connection.sendNotification("initialized", {});
  return editor;
}

function listen(editor: Editor): void {
  const { connection, pushes, log, requested } = editor;
  connection.onRequest("workspace/configuration", ({ items }: { readonly items: readonly unknown[] }) =>
    items.map(() => editor.settings),
  );
  connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    pushes.push(params);
  });
  connection.onNotification("window/logMessage", ({ message }: { readonly message: string }) => {
    log.push(message);
  });
  connection.onUnhandledNotification(() => undefined);
  for (const method of ["workspace/diagnostic/refresh", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"]) {
    connection.onRequest(method, () => {
      requested.push(method);
      return null;
    });
  }
}

/** Waits for a value other than undefined. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>, told: () => string): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`never came; last seen: ${told()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const SEVERITY = ["", "error", "warning", "information", "hint"];

/** `4:18 warning toleration-gap`. */
export function brief({ range, severity, code }: Diagnostic): string {
  return `${range.start.line + 1}:${range.start.character + 1} ${SEVERITY[severity ?? 0]} ${code ?? "(no code)"}`;
}

/** A path below the editor's root as the URI says. */
export function pathIn(editor: Editor, uri: string): string {
  return fileURLToPath(uri).slice(editor.root.length + 1);
}
