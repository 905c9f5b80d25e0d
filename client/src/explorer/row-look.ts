// Client: how a row of the explorer looks: icon and colour by its state, always with words beside them.
import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { ExplorerRow, RowKind, RowState } from "../../../shared/src/explorer.ts";
import { markdownText } from "../markdown-text.ts";

/** Shapes differ by state, so that nothing is told by colour alone. */
const STATE_ICONS: Readonly<Partial<Record<RowState, readonly [icon: string, colour: string]>>> = {
  error: ["error", "problemsErrorIcon.foreground"],
  warning: ["warning", "problemsWarningIcon.foreground"],
  information: ["info", "problemsInfoIcon.foreground"],
  hint: ["lightbulb", "problemsInfoIcon.foreground"],
  good: ["pass", "testing.iconPassed"],
  unknown: ["question", "descriptionForeground"],
};

/** Where there is nothing to judge. */
const KIND_ICONS: Readonly<Partial<Record<RowKind, string>>> = {
  cluster: "server-environment",
  group: "layers",
  node: "server",
  section: "list-unordered",
  taint: "tag",
  daemonset: "symbol-method",
  workload: "symbol-class",
  pod: "symbol-object",
  resource: "circuit-board",
  driver: "database",
  event: "history",
  more: "ellipsis",
};

/** The row as VS Code draws it. `more` is the command that loads further rows. */
export function treeItemOf(row: ExplorerRow, more: string): TreeItem {
  const item = new TreeItem(row.label, COLLAPSIBLE[row.children]);
  item.id = row.id;
  item.description = row.description;
  const tooltip = new MarkdownString();
  for (const line of [row.label, ...row.tooltip.split("\n")]) {
    if (line !== "") tooltip.appendMarkdown(`${markdownText(line)}\n\n`);
  }
  item.tooltip = tooltip;
  const icon = iconOf(row);
  if (icon !== undefined) item.iconPath = icon;
  item.accessibilityInformation = { label: row.spoken };
  item.contextValue = row.target === null ? row.kind : `${row.kind}:${row.target.kind}`;
  if (row.kind === "more") item.command = { title: row.label, command: more, arguments: [row] };
  return item;
}

const COLLAPSIBLE = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const;

function iconOf({ kind, state }: ExplorerRow): ThemeIcon | undefined {
  const look = STATE_ICONS[state];
  if (look !== undefined) return new ThemeIcon(look[0], new ThemeColor(look[1]));
  const icon = KIND_ICONS[kind];
  return icon === undefined ? undefined : new ThemeIcon(icon);
}
