// Client: the explorer's commands that show a report beside the editor.
import { env, ProgressLocation, Uri, window, workspace } from "vscode";
import { ExplorerReport, type ExplorerReportName, type RowTarget } from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import { pickNode, pickTarget, targetOf } from "./targets.ts";

/** Shows the report about the row, else about what is picked; triage can be about the whole cluster. */
export async function showReport(
  server: LanguageServer,
  reports: ReportDocuments,
  report: Exclude<ExplorerReportName, "compare">,
  argument: unknown,
): Promise<void> {
  try {
    const target = targetOf(argument) ?? (await (report === "triage" ? pickTarget(server, true) : pickNode(server)));
    if (target === undefined) return;
    await request(server, reports, report, target, null);
  } catch (error) {
    showFailure(error);
  }
}

/** Asks for an earlier snapshot or dump and shows what changed since. */
export async function compareWithSnapshot(
  server: LanguageServer,
  reports: ReportDocuments,
  argument: unknown,
): Promise<void> {
  try {
    const start = workspace.workspaceFolders?.[0]?.uri;
    const [file] =
      (await window.showOpenDialog({
        title: texts.explorer.compareTitle(),
        openLabel: texts.explorer.compare(),
        filters: { [texts.select.clusterFiles()]: ["yaml", "yml", "json", "gz"] },
        ...(start ? { defaultUri: start } : {}),
      })) ?? [];
    if (file === undefined) return;
    await request(server, reports, "compare", targetOf(argument), file.fsPath);
  } catch (error) {
    showFailure(error);
  }
}

async function request(
  server: LanguageServer,
  reports: ReportDocuments,
  report: ExplorerReportName,
  target: RowTarget | null,
  path: string | null,
): Promise<void> {
  const answer = await window.withProgress({ location: ProgressLocation.Window, title: texts.explorer.working() }, () =>
    server.request(ExplorerReport, { report, target, path }),
  );
  if (answer.kind === "none") {
    void window.showInformationMessage(answer.reason);
    return;
  }
  await reports.show(answer.report);
  // Its ticks follow the cluster for as long as it is kept.
  if (report === "recovery") reports.follow(answer.report.title, () => again(server, target));
}

async function again(server: LanguageServer, target: RowTarget | null): Promise<string | null> {
  const answer = await server.request(ExplorerReport, { report: "recovery", target, path: null });
  return answer.kind === "report" ? answer.report.markdown : null;
}

/** The report that a button stands above, else the one in sight; tells that there is none. */
function reportFor(reports: ReportDocuments, argument: unknown): { readonly uri: Uri; readonly text: string } | null {
  const uri = argument instanceof Uri ? argument : reports.inSight();
  const text = uri === null ? null : reports.text(uri);
  if (uri !== null && text !== null) return { uri, text };
  void window.showInformationMessage(texts.explorer.noReport());
  return null;
}

/** Puts the report's Markdown on the clipboard. */
export async function copyReport(reports: ReportDocuments, argument: unknown): Promise<void> {
  const report = reportFor(reports, argument);
  if (report === null) return;
  await env.clipboard.writeText(report.text);
  window.setStatusBarMessage(texts.explorer.copied(), 5000);
}

/** Writes the report's Markdown into a file that the person names. */
export async function saveReport(reports: ReportDocuments, argument: unknown): Promise<void> {
  const report = reportFor(reports, argument);
  if (report === null) return;
  try {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const name = report.uri.path.slice(1).replace(/[:\\/∕*?"<>|\s]+/g, "-");
    const file = await window.showSaveDialog({
      filters: { Markdown: ["md"] },
      ...(folder ? { defaultUri: Uri.joinPath(folder, name) } : {}),
    });
    if (file !== undefined) await workspace.fs.writeFile(file, new TextEncoder().encode(report.text));
  } catch (error) {
    showFailure(error);
  }
}
