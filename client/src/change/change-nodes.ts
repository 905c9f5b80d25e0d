// Client: the commands "Cordon Node", "Uncordon Node" and "Taint Node": dry run and preflight, confirmation, change.
import { ProgressLocation, window } from "vscode";
import {
  ApplyChange,
  type NodeActionName,
  PrepareNodes,
  type PrepareNodesParams,
  type PrepareNodesResult,
} from "../../../shared/src/change.ts";
import { ExplorerClusters } from "../../../shared/src/explorer.ts";
import { GetNodes } from "../../../shared/src/protocol.ts";
import { askTaint, askTarget } from "../commands/preflight.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { targetOf } from "../explorer/targets.ts";
import { showFailure } from "../messages.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import { confirmChange, tellWhyNot } from "./confirm.ts";

/** Changes the row's node, else those that a person names, once it is confirmed. */
export async function changeNodes(
  server: LanguageServer,
  reports: ReportDocuments,
  action: NodeActionName,
  argument: unknown,
): Promise<void> {
  try {
    const row = targetOf(argument);
    const node = row?.kind === "Node" ? row : null;
    const prepared = await prepare(server, action, node?.cluster ?? null, node?.name ?? "");
    if (prepared === null) return;
    if (prepared.kind !== "ready") {
      await tellWhyNot(prepared);
      return;
    }
    await reports.show(prepared.report);
    if (!(await confirmChange(prepared.change))) return;
    const result = await server.request(ApplyChange, { id: prepared.change.id });
    if (result.kind === "applied") void window.showInformationMessage(result.message);
    else void window.showErrorMessage(result.message);
  } catch (error) {
    showFailure(error);
  }
}

/** Asks for what is missing until the server can use it; null where the person backed out. */
async function prepare(
  server: LanguageServer,
  action: NodeActionName,
  cluster: string | null,
  node: string,
): Promise<Exclude<PrepareNodesResult, { readonly kind: "invalid" }> | null> {
  const choices = await server.request(GetNodes, {});
  const title = await titleOf(server, action, cluster);
  let target = node;
  let taint = "";
  let problem = { field: "", message: "" };
  for (;;) {
    if (target === "" || problem.field === "target") {
      const answer = await askTarget(choices, target, problem.message, title);
      if (answer === null) return null;
      target = answer;
    }
    if (action === "taint" && (taint === "" || problem.field === "taint")) {
      const answer = await askTaint(choices, taint, problem.field === "taint" ? problem.message : "", title);
      if (answer === null) return null;
      taint = answer;
    }
    const result = await request(server, { cluster, target, action, taint });
    if (result.kind !== "invalid") return result;
    problem = result;
  }
}

/** What is asked for, and the context that it is for. */
async function titleOf(server: LanguageServer, action: NodeActionName, cluster: string | null): Promise<string> {
  const clusters = await server.request(ExplorerClusters, {});
  const meant = clusters.filter(({ key, context }) => context !== null && (cluster === null || key === cluster));
  const contexts = meant.map(({ context }) => context).join(", ");
  const words = { cordon: texts.change.cordon, uncordon: texts.change.uncordon, taint: texts.change.taint };
  return words[action](contexts);
}

function request(server: LanguageServer, params: PrepareNodesParams): Thenable<PrepareNodesResult> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title: texts.change.dryRun(params.target), cancellable: true },
    (_progress, token) => server.request(PrepareNodes, params, token),
  );
}
