// Client: the node-health explorer: its views and every command of theirs.
import { commands, type Disposable, type ExtensionContext, Uri, window } from "vscode";
import type { ExplorerRow, NodeGrouping } from "../../../shared/src/explorer.ts";
import type { ClusterSource } from "../cluster/cluster-source.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { CoverageView } from "../coverage-view/coverage-view.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import { openCheck } from "./check-in-terminal.ts";
import { ExplorerViews } from "./explorer-views.ts";
import { compareWithSnapshot, copyReport, saveReport, showReport } from "./report-commands.ts";
import { showFix } from "./show-fix.ts";
import { ViewSettings } from "./view-settings.ts";

/** Makes the views and registers the commands; disposed together. Call before the server starts. */
export function registerExplorer(
  context: ExtensionContext,
  server: LanguageServer,
  source: ClusterSource,
  reports: ReportDocuments,
): Disposable[] {
  const settings = new ViewSettings(context.workspaceState);
  const coverage = new CoverageView(server, Uri.joinPath(context.extensionUri, "dist/coverage.js"));
  const views = new ExplorerViews(server, source, settings, () => {
    void reports.followUp();
    void coverage.refresh();
  });
  const register = (command: string, run: (argument: unknown) => unknown) => commands.registerCommand(command, run);
  return [
    settings,
    views,
    coverage,
    register("taintwise.explorerRefresh", () => views.refresh()),
    register("taintwise.explorerMore", (row) => {
      if (isRow(row)) views.more(row);
    }),
    register("taintwise.explorerFilter", () => askFilter(settings)),
    register("taintwise.explorerClearFilter", () => settings.change({ filter: "" })),
    register("taintwise.explorerOnlyProblems", () => settings.change({ onlyProblems: true })),
    register("taintwise.explorerShowAll", () => settings.change({ onlyProblems: false })),
    register("taintwise.explorerGroup", () => askGrouping(settings)),
    register("taintwise.explorerPause", () => views.setPaused(true)),
    register("taintwise.explorerResume", () => views.setPaused(false)),
    register("taintwise.runTriage", (row) => showReport(server, reports, "triage", row)),
    register("taintwise.onNodeChecklist", (row) => showReport(server, reports, "onNode", row)),
    register("taintwise.orderedRecovery", (row) => showReport(server, reports, "recovery", row)),
    register("taintwise.beforeChange", (row) => showReport(server, reports, "beforeChange", row)),
    register("taintwise.compareSnapshot", (row) => compareWithSnapshot(server, reports, row)),
    register("taintwise.copyReport", (uri) => copyReport(reports, uri)),
    register("taintwise.saveReport", (uri) => saveReport(reports, uri)),
    register("taintwise.openCheck", (row) => openCheck(server, row)),
    register("taintwise.showFix", (row) => showFix(server, row)),
    register("taintwise.showCoverage", () => coverage.show()),
  ];
}

function isRow(value: unknown): value is ExplorerRow {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}

/** Filters while a person types; what was there before comes back with Escape. */
function askFilter(settings: ViewSettings): void {
  const before = settings.options.filter;
  const box = window.createInputBox();
  box.title = texts.explorer.filterTitle();
  box.prompt = texts.explorer.filterPrompt();
  box.value = before;
  let accepted = false;
  box.onDidChangeValue((filter) => void settings.change({ filter }));
  box.onDidAccept(() => {
    accepted = true;
    box.hide();
  });
  box.onDidHide(() => {
    if (!accepted) void settings.change({ filter: before });
    box.dispose();
  });
  box.show();
}

async function askGrouping(settings: ViewSettings): Promise<void> {
  const current = settings.options.grouping;
  const item = (grouping: NodeGrouping, label: string) => ({
    label,
    grouping,
    ...(grouping === current ? { description: texts.select.chosen() } : {}),
  });
  const picked = await window.showQuickPick(
    [
      item("pool", texts.explorer.byPool()),
      item("problem", texts.explorer.byProblem()),
      item("flat", texts.explorer.flat()),
    ],
    { placeHolder: texts.explorer.groupTitle() },
  );
  if (picked !== undefined) await settings.change({ grouping: picked.grouping });
}
