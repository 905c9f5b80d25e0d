// Client: the view "Coverage": a page that draws node classes × platform DaemonSets. It loads nothing from elsewhere.
import { commands, type Disposable, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import { CoverageMatrix, type CoverageMatrixParams, ExplorerClusters } from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { targetOf } from "../explorer/targets.ts";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";
import type { MatrixMessage, PageTexts } from "./messages.ts";
import { packMatrix } from "./packed-matrix.ts";
import { pageHtml } from "./page-html.ts";

/** One panel for the window, made when it is first asked for. */
export class CoverageView implements Disposable {
  readonly #server: LanguageServer;
  readonly #script: Uri;
  #panel: WebviewPanel | null = null;
  #asked: CoverageMatrixParams = { cluster: null, whatIf: null };

  /** `script` is the bundled page. */
  constructor(server: LanguageServer, script: Uri) {
    this.#server = server;
    this.#script = script;
  }

  /** Opens the page, or brings it to the front. */
  show(): void {
    if (this.#panel !== null) {
      this.#panel.reveal();
      return;
    }
    const folder = Uri.joinPath(this.#script, "..");
    const panel = window.createWebviewPanel("taintwise.coverage", texts.coverage.title(), ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [folder],
    });
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.#panel = null;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => void this.#receive(message));
    panel.webview.html = pageHtml(panel.webview.asWebviewUri(this.#script).toString(), panel.webview.cspSource);
  }

  /** The cluster may have changed: draws again where the page is seen. */
  async refresh(): Promise<void> {
    if (this.#panel?.visible !== true) return;
    try {
      const [matrix, clusters] = await Promise.all([
        this.#server.request(CoverageMatrix, this.#asked),
        this.#server.request(ExplorerClusters, {}),
      ]);
      const packed = matrix === null ? null : packMatrix(matrix);
      const message: MatrixMessage = { type: "matrix", matrix: packed, clusters, texts: pageTexts() };
      await this.#panel?.webview.postMessage(message);
    } catch (error) {
      showFailure(error);
    }
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  /** A page is not trusted: every field is looked at. */
  async #receive(message: unknown): Promise<void> {
    if (typeof message !== "object" || message === null || !("type" in message)) return;
    const text = (key: string): string => {
      const value: unknown = Reflect.get(message, key);
      return typeof value === "string" ? value : "";
    };
    switch (message.type) {
      case "ready":
        return this.refresh();
      case "whatIf":
        this.#asked = { ...this.#asked, whatIf: { row: text("row"), taint: text("taint") } };
        return this.refresh();
      case "clear":
        this.#asked = { ...this.#asked, whatIf: null };
        return this.refresh();
      case "cluster":
        this.#asked = { cluster: text("key"), whatIf: null };
        return this.refresh();
      case "open": {
        const target = targetOf(message);
        if (target === null) return;
        await commands.executeCommand(text("what") === "fix" ? "taintwise.showFix" : "taintwise.runTriage", { target });
        return;
      }
      case "save":
        return save(text("format") === "png" ? "png" : "svg", text("data"));
    }
  }
}

async function save(format: "svg" | "png", data: string): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const file = await window.showSaveDialog({
    filters: { [format.toUpperCase()]: [format] },
    ...(folder ? { defaultUri: Uri.joinPath(folder, `coverage.${format}`) } : {}),
  });
  if (file === undefined) return;
  try {
    await workspace.fs.writeFile(file, Buffer.from(data, format === "png" ? "base64" : "utf8"));
  } catch (error) {
    showFailure(error);
  }
}

function pageTexts(): PageTexts {
  const own = texts.coverage;
  return {
    states: { runs: own.runs(), bomb: own.bomb(), gap: own.gap(), waits: own.waits(), excluded: own.excluded() },
    nodes: own.nodes(),
    noCluster: own.noCluster(),
    grid: own.grid(),
    legend: own.legend(),
    sortWorst: own.sortWorst(),
    whatIf: own.whatIf(),
    whatIfClass: own.whatIfClass(),
    whatIfShow: own.whatIfShow(),
    whatIfClear: own.whatIfClear(),
    saveSvg: own.saveSvg(),
    savePng: own.savePng(),
    cluster: own.cluster(),
  };
}
