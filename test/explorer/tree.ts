// The explorer's views as an indented text, as a person would see them with every branch open.

import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { type ClusterToJudge, type JudgedCluster, judgeNow } from "../../server/src/explorer/judged-cluster.ts";
import type { ExplorerViews } from "../../server/src/explorer/view.ts";
import type { ExplorerOptions, ExplorerRow, ExplorerViewName } from "../../shared/src/explorer.ts";

export const OPTIONS: ExplorerOptions = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false };

/** Judges a model as the only source in use. */
export function judged(model: ClusterModel, change: Partial<ClusterToJudge> = {}): JudgedCluster {
  return judgeNow({
    key: model.name,
    model,
    config: DEFAULT_CONFIG,
    access: null,
    baseline: null,
    history: null,
    ...change,
  });
}

/** Every row below `parent`, depth first, each with its depth. */
export function allRows(
  views: ExplorerViews,
  view: ExplorerViewName,
  options: ExplorerOptions = OPTIONS,
  parent: string | null = null,
  depth = 0,
): readonly { readonly row: ExplorerRow; readonly depth: number }[] {
  return views
    .rows(view, parent, 10_000, options)
    .rows.flatMap((row) => [
      { row, depth },
      ...(row.children === "none" ? [] : allRows(views, view, options, row.id, depth + 1)),
    ]);
}

/** One line for a row: state, label, description. */
export function treeText(rows: ReturnType<typeof allRows>): string {
  return `${rows
    .map(
      ({ row, depth }) =>
        `${"  ".repeat(depth)}${row.state === "plain" ? "" : `[${row.state}] `}${row.label}${row.description === "" ? "" : `  — ${row.description}`}`,
    )
    .join("\n")}\n`;
}
