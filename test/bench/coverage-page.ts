// Bench: the coverage page with as many rows and columns as it is made for, in a real browser: from the message that brings
// the matrix until it is painted. Needs the Chromium that `npm run test:editor` installs; without it no row is given.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { packMatrix } from "../../client/src/coverage-view/packed-matrix.ts";
import { pageHtml } from "../../client/src/coverage-view/page-html.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { judgeNow } from "../../server/src/explorer/judged-cluster.ts";
import { coverageMatrix } from "../../server/src/explorer/matrix.ts";
import { median } from "../cluster/bench/section.ts";
import { launchBrowser } from "../editor/workbench.ts";
import { generateCluster, LARGE_CLUSTER, modelOf } from "./cluster-generator.ts";
import type { BenchRow } from "./row.ts";
import { logAgent } from "./triage.ts";

const RUNS = 15;
const WARM_UP = 3;
/** The largest ones; cordoned nodes are classes of their own. */
const CLASSES = 60;
const ADDRESS = "http://coverage.invalid/";
/** Words do not matter here; the page shows what it is given. */
const WORDS = {
  states: { runs: "runs", bomb: "time bomb", gap: "gap", waits: "waits", excluded: "excluded" },
  nodes: "nodes",
  noCluster: "no cluster",
  grid: "Coverage",
  legend: "Legend",
  sortWorst: "Worst first",
  whatIf: "What if",
  whatIfClass: "Class",
  whatIfShow: "Show",
  whatIfClear: "Clear",
  saveSvg: "SVG",
  savePng: "PNG",
  cluster: "Cluster",
};

/** Rows on the coverage page. */
export async function bench(): Promise<readonly BenchRow[]> {
  const browser = await browserIfThere();
  if (browser === null) return [];
  try {
    const model = platformOnly(modelOf(generateCluster({ ...LARGE_CLUSTER, taintSets: 60 })));
    const judged = judgeNow({
      key: "bench",
      model,
      config: DEFAULT_CONFIG,
      access: null,
      baseline: null,
      history: null,
    });
    const computed = median(Array.from({ length: RUNS }, () => timed(() => coverageMatrix(judged, null))));
    const whole = coverageMatrix(judged, null);
    const matrix = { ...whole, rows: whole.rows.slice(0, CLASSES), problem: "" };
    const page = await open(browser);
    const message = {
      type: "matrix",
      matrix: packMatrix(matrix),
      clusters: [{ key: "bench", name: "bench" }],
      texts: WORDS,
    };
    const drawn: number[] = [];
    for (let run = -WARM_UP; run < RUNS; run += 1) {
      const time = await painted(page, message);
      if (run >= 0) drawn.push(time);
    }
    const scrolled = await scrolls(page);
    const cells = await page.locator("[role=gridcell]").count();
    const beside = `${matrix.rows.length} classes × ${matrix.columns.length} DaemonSets, ${cells} cells on screen of 1600 × 1000 pixels`;
    return [
      { what: "coverage page, until it is painted", measured: median(drawn), limit: 100, unit: "ms", beside },
      { what: "the same, the slowest", measured: Math.max(...drawn), limit: null, unit: "ms", beside: `of ${RUNS}` },
      {
        what: "painted after scrolling",
        measured: median(scrolled),
        limit: null,
        unit: "ms",
        beside: "to another place",
      },
      {
        what: "its matrix, in the server",
        measured: computed,
        limit: null,
        unit: "ms",
        beside: `of ${model.nodes.size} judged nodes`,
      },
    ];
  } finally {
    await browser.close();
  }
}

async function browserIfThere(): Promise<Browser | null> {
  try {
    return await launchBrowser();
  } catch (error) {
    console.log(`The coverage page is not measured: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

/** Every DaemonSet is one of the platform's, so that it has a column. */
function platformOnly(model: ClusterModel): ClusterModel {
  return updateModel(model, { set: { workloads: model.workloads.map(logAgent), pods: [] } });
}

/** The page as the editor shows it, which answers its messages with nothing. */
async function open(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const script = readFileSync(new URL("../../dist/coverage.js", import.meta.url), "utf8");
  await page.addInitScript("globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });");
  await page.route("**/*", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript", body: script })
      : route.fulfill({ contentType: "text/html", body: pageHtml(`${ADDRESS}coverage.js`, ADDRESS) }),
  );
  await page.goto(ADDRESS);
  return page;
}

/** Milliseconds from the message to the frame after the one that holds what it drew. */
function painted(page: Page, message: unknown): Promise<number> {
  return page.evaluate(
    (data) =>
      new Promise<number>((resolve) => {
        // The page's own listener came first, so that it has drawn when this one is called.
        const begun = performance.now();
        window.addEventListener(
          "message",
          () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun))),
          { once: true },
        );
        window.postMessage(data);
      }),
    message,
  );
}

/** The same from scrolling to a place that was not drawn. */
function scrolls(page: Page): Promise<readonly number[]> {
  return page.evaluate(async (runs) => {
    const viewport = document.querySelector(".viewport");
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const begun = performance.now();
      viewport?.scrollTo((run % 2) * 6000, (run % 3) * 300);
      await new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(null)))),
      );
      times.push(performance.now() - begun);
    }
    return times;
  }, RUNS);
}

function timed(task: () => unknown): number {
  const begun = performance.now();
  task();
  return performance.now() - begun;
}

if (import.meta.main) console.table(await bench());
