// Explorer layer: a view over the clusters in use, as it is asked for row by row. Answers come from memory.
import type {
  ExplorerOptions,
  ExplorerRow,
  ExplorerRowsResult,
  ExplorerSummary,
  ExplorerViewName,
} from "../../../shared/src/explorer.ts";
import { type Element, element, findElement } from "./element.ts";
import type { JudgedCluster } from "./judged-cluster.ts";
import { nodesView } from "./nodes-view.ts";
import { workloadsView } from "./workloads-view.ts";

/** The views over some clusters. Made anew when one of them was judged again; ids mean the same rows then. */
export class ExplorerViews {
  readonly #clusters: readonly JudgedCluster[];
  readonly #roots = new Map<string, readonly Element[]>();

  constructor(clusters: readonly JudgedCluster[]) {
    this.#clusters = clusters;
  }

  /** The rows below `parent` (null: the top), at most `limit` and one that says how many are left. */
  rows(
    view: ExplorerViewName,
    parent: string | null,
    limit: number,
    options: ExplorerOptions,
  ): Pick<ExplorerRowsResult, "rows" | "message"> {
    const roots = this.#top(view, options);
    const children = parent === null ? roots : (findElement(roots, parent)?.children() ?? []);
    const rows = children.slice(0, limit).map((child) => child.row);
    const left = children.length - rows.length;
    return {
      rows: left > 0 ? [...rows, moreRow(parent ?? view, left)] : rows,
      message: parent === null ? this.#message(options) : "",
    };
  }

  get summary(): Pick<ExplorerSummary, "nodes" | "problems"> {
    const nodes = this.#clusters.flatMap((cluster) => cluster.report.nodes);
    const problems = nodes.filter(({ severity }) => severity === "error" || severity === "warning").length;
    return { nodes: nodes.length, problems };
  }

  #top(view: ExplorerViewName, options: ExplorerOptions): readonly Element[] {
    const key = JSON.stringify([view, options.grouping, options.poolLabel, options.filter, options.onlyProblems]);
    let roots = this.#roots.get(key);
    if (roots === undefined) {
      roots = view === "nodes" ? nodesView(this.#clusters, options) : workloadsView(this.#clusters, options);
      // Typing a filter asks for many views that nobody looks at again.
      if (this.#roots.size >= VIEWS_KEPT) this.#roots.clear();
      this.#roots.set(key, roots);
    }
    return roots;
  }

  /** What could not be judged, in one line: silence is never taken for health. */
  #message({ filter, onlyProblems }: ExplorerOptions): string {
    const unknown = [...new Set(this.#clusters.flatMap((cluster) => cluster.report.unknown))];
    return [
      filter === "" ? "" : `Filter: ${filter}`,
      onlyProblems ? "Only problems" : "",
      ...(unknown.length > 2 ? [`${unknown[0]} ${unknown.length - 1} more parts are unknown.`] : unknown),
    ]
      .filter((part) => part !== "")
      .join(" · ");
  }
}

const VIEWS_KEPT = 8;

function moreRow(parent: string, left: number): ExplorerRow {
  return element({
    parent,
    key: "more",
    kind: "more",
    label: `${left} more`,
    description: "show the next ones",
  }).row;
}
