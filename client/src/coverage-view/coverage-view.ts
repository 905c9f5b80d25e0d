// Client: the view "Coverage": a page that draws node classes × platform DaemonSets. It loads nothing from elsewhere.
import { randomBytes } from "node:crypto";
import { commands, type Disposable, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import { CoverageMatrix, type CoverageMatrixParams, ExplorerClusters } from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { targetOf } from "../explorer/targets.ts";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";
import type { MatrixMessage, PageTexts } from "./messages.ts";

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
      const message: MatrixMessage = { type: "matrix", matrix, clusters, texts: pageTexts() };
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

/** Nothing but our own script runs, and nothing is fetched; `data:` is for drawing the picture that is saved. */
function pageHtml(script: string, source: string): string {
  const nonce = randomBytes(18).toString("base64");
  const policy = `default-src 'none'; script-src ${source}; style-src 'nonce-${nonce}'; img-src data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Taintwise</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body><main id="page"></main><script src="${script}"></script></body>
</html>`;
}

/** Every colour is the theme's. */
const STYLE = `
body { padding: 0; display: flex; flex-direction: column; height: 100vh; margin: 0; box-sizing: border-box; }
main { display: flex; flex-direction: column; min-height: 0; flex: 1; padding: 8px 12px; gap: 8px; }
form, .legend { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.legend span { display: inline-flex; gap: 4px; align-items: center; }
button, select, input { font: inherit; padding: 3px 8px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; }
button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); cursor: pointer; }
button:focus-visible, select:focus-visible, input:focus-visible, .cell:focus, .name:focus { outline: 2px solid var(--vscode-focusBorder); outline-offset: -2px; }
.problem { color: var(--vscode-errorForeground); }
.viewport { overflow: auto; flex: 1; min-height: 120px; position: relative; border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
.canvas { position: relative; }
.row { position: absolute; left: 0; display: block; }
.head { position: sticky; top: 0; z-index: 2; background: var(--vscode-editor-background); }
.corner, .name { position: sticky; left: 0; z-index: 1; display: inline-block; box-sizing: border-box; background: var(--vscode-editor-background); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 4px 6px; }
.name { cursor: pointer; }
.whatif .name { font-style: italic; }
.column { position: absolute; bottom: 8px; transform-origin: left bottom; transform: rotate(-60deg); white-space: nowrap; }
.cell, .sign { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box; border: 1px solid var(--vscode-contrastBorder, transparent); border-radius: 3px; }
.cell { position: absolute; top: 1px; cursor: pointer; }
.sign { width: 20px; height: 20px; }
.runs { color: var(--vscode-testing-iconPassed); }
.gap { color: var(--vscode-errorForeground); background: var(--vscode-inputValidation-errorBackground); font-weight: bold; }
.bomb { color: var(--vscode-editorWarning-foreground); background: var(--vscode-inputValidation-warningBackground); font-weight: bold; }
.waits { color: var(--vscode-editorInfo-foreground); }
.excluded { color: var(--vscode-descriptionForeground); }
#about { min-height: 2.6em; }
`;

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
