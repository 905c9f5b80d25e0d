/// <reference lib="dom" />
// Client: the coverage page. Runs inside the editor's web view; talks to the extension by messages only.
import type { CoverageMatrixResult } from "../../../shared/src/explorer.ts";
import { matrixSvg, worstFirst } from "../../../shared/src/matrix-svg.ts";
import { Grid } from "./grid.ts";
import type { MatrixMessage, PageMessage, PageTexts } from "./messages.ts";
import { unpackMatrix } from "./packed-matrix.ts";
import { type Controls, controls } from "./page-controls.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
};

/** What outlasts the page: the editor throws a page away that is not seen. */
interface PageState {
  readonly worstFirst: boolean;
}

function remembered(state: unknown): PageState {
  const worstFirst = typeof state === "object" && state !== null && "worstFirst" in state && state.worstFirst === true;
  return { worstFirst };
}

const editor = acquireVsCodeApi();
const send = (message: PageMessage): void => editor.postMessage(message);

class Page {
  readonly #root: HTMLElement;
  readonly #grid: Grid;
  readonly #controls: Controls;
  #last: { readonly matrix: CoverageMatrixResult | null; readonly texts: PageTexts } | null = null;
  #sorted = remembered(editor.getState()).worstFirst;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#grid = new Grid((what, target) => send({ type: "open", what, target }));
    this.#controls = controls({
      send,
      sorted: this.#sorted,
      sort: (sorted) => {
        this.#sorted = sorted;
        editor.setState({ worstFirst: sorted });
        this.#draw();
      },
      save: (format) => void this.#save(format),
    });
    root.append(this.#controls.top, this.#controls.whatIf, this.#grid.element, this.#grid.about, this.#controls.legend);
  }

  show(message: MatrixMessage): void {
    const { matrix, texts } = message;
    this.#last = { matrix: matrix === null ? null : unpackMatrix(matrix), texts };
    this.#controls.fill(message);
    this.#draw();
  }

  #draw(): void {
    if (this.#last === null) return;
    const { matrix, texts } = this.#last;
    this.#root.setAttribute("aria-busy", "false");
    if (matrix === null) {
      this.#grid.clear(texts.noCluster);
      return;
    }
    this.#grid.draw(this.#sorted ? worstFirst(matrix) : matrix, texts);
  }

  async #save(format: "svg" | "png"): Promise<void> {
    if (this.#last === null || this.#last.matrix === null) return;
    const { matrix, texts } = this.#last;
    const svg = matrixSvg(this.#sorted ? worstFirst(matrix) : matrix, texts);
    send({ type: "save", format, data: format === "svg" ? svg : await toPng(svg) });
  }
}

/** Most pixels of a picture: more takes an editor many seconds and hundreds of megabytes. */
const MOST_PIXELS = 24_000_000;

/** The picture at twice its size, smaller where that would be too much, in Base64. */
async function toPng(svg: string): Promise<string> {
  const image = new Image();
  // Nobody hovers over a PNG.
  const drawn = svg.replace(/<title>[^<]*<\/title>/g, "");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (image.width * image.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(image.width * scale);
  canvas.height = Math.floor(image.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}

const root = document.getElementById("page");
if (root !== null) {
  const page = new Page(root);
  window.addEventListener("message", ({ data }: MessageEvent<MatrixMessage>) => {
    if (data.type === "matrix") page.show(data);
  });
  send({ type: "ready" });
}
