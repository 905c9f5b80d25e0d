// Client: the command "Preflight a Taint": asks for nodes and a taint, shows what would happen, offers the fixes.
import { env, ProgressLocation, QuickPickItemKind, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import { GetNodes, type NodeChoices, Preflight, type PreflightPatch } from "../../../shared/src/protocol.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import { ask } from "./ask.ts";

/** Runs the dialogue. Nothing is changed in any cluster; edits to manifests are applied only where the user picked them. */
export async function preflightTaint(server: LanguageServer, reports: ReportDocuments): Promise<void> {
  try {
    await converse(server, reports, await server.request(GetNodes, {}));
  } catch (error) {
    showFailure(error);
  }
}

async function converse(server: LanguageServer, reports: ReportDocuments, nodes: NodeChoices): Promise<void> {
  let target = "";
  let taint = "";
  let problem = { field: "", message: "" };
  for (;;) {
    if (problem.field !== "taint") {
      const answer = await askTarget(nodes, target, problem.message);
      if (answer === null) return;
      target = answer;
    }
    const answer = await askTaint(nodes, taint, problem.field === "taint" ? problem.message : "");
    if (answer === null) return;
    taint = answer;

    const result = await window.withProgress(
      { location: ProgressLocation.Window, title: texts.preflight.working() },
      () => server.request(Preflight, { target, taint }),
    );
    if (result.kind === "report") {
      await reports.show(result.report);
      await offerPatches(result.patches);
      return;
    }
    if (result.field === "cluster") {
      void window.showInformationMessage(result.message);
      return;
    }
    problem = result;
  }
}

/** Asks which nodes are meant; `value` and `problem` are the last answer and why it was refused. null: backed out. */
export function askTarget(
  nodes: NodeChoices,
  value: string,
  problem: string,
  title = texts.preflight.title(),
): Promise<string | null> {
  const separator = (label: string) => ({ label, kind: QuickPickItemKind.Separator });
  return ask({
    title,
    prompt: texts.preflight.target(),
    step: 1,
    steps: 2,
    value,
    problem,
    suggestions: [
      separator(texts.preflight.selectors()),
      ...nodes.selectors.map(({ selector, nodes: count }) => ({
        label: selector,
        description: texts.preflight.nodes(count),
      })),
      separator(texts.preflight.nodeList()),
      ...nodes.nodes.map((node) => ({ label: node.name, description: node.taints.join(", ") })),
    ],
    useTyped: texts.preflight.useTyped,
  });
}

/** Asks for a taint, as `askTarget` does for nodes. */
export function askTaint(
  nodes: NodeChoices,
  value: string,
  problem: string,
  title = texts.preflight.title(),
): Promise<string | null> {
  return ask({
    title,
    prompt: texts.preflight.taint(),
    step: 2,
    steps: 2,
    value,
    problem,
    suggestions: nodes.taints.map((label) => ({ label, description: texts.preflight.inUse() })),
    useTyped: texts.preflight.useTyped,
  });
}

async function offerPatches(patches: readonly PreflightPatch[]): Promise<void> {
  const usable = patches.filter((patch) => patch.edit !== null || patch.command !== null);
  if (usable.length === 0) return;
  const answer = await window.showInformationMessage(texts.preflight.fixes(usable.length), texts.preflight.showFixes());
  if (answer !== texts.preflight.showFixes()) return;
  const picked = await window.showQuickPick(
    patches.map((patch) => ({ label: patch.title, description: wayOf(patch), picked: patch.edit !== null, patch })),
    { canPickMany: true, placeHolder: texts.preflight.pickFixes() },
  );
  if (!picked) return;
  const chosen = picked.map((item) => item.patch);
  await applyEdits(chosen);
  await copyCommands(chosen);
}

function wayOf(patch: PreflightPatch): string {
  if (patch.edit !== null) return texts.preflight.editsFile();
  return patch.command !== null ? texts.preflight.copiesCommand() : texts.preflight.noFix();
}

/** Applies the edits of manifests, all or none: an edit computed for a document that changed since is refused. */
async function applyEdits(patches: readonly PreflightPatch[]): Promise<void> {
  const edits = patches.map((patch) => patch.edit).filter((edit) => edit !== null);
  if (edits.length === 0) return;
  const all = new WorkspaceEdit();
  for (const { uri, version, edits: changes } of edits) {
    const target = Uri.parse(uri, true);
    const open = workspace.textDocuments.find((document) => document.uri.toString() === target.toString());
    if (open && version !== open.version) {
      void window.showWarningMessage(texts.preflight.changed(workspace.asRelativePath(target)));
      return;
    }
    for (const { range, newText } of changes) {
      const { start, end } = range;
      all.replace(target, new Range(start.line, start.character, end.line, end.character), newText);
    }
  }
  if (await workspace.applyEdit(all)) void window.showInformationMessage(texts.preflight.applied(edits.length));
}

async function copyCommands(patches: readonly PreflightPatch[]): Promise<void> {
  const commands = patches.filter((patch) => patch.edit === null).map((patch) => patch.command);
  const lines = commands.filter((command) => command !== null);
  if (lines.length === 0) return;
  await env.clipboard.writeText(`${lines.join("\n")}\n`);
  void window.showInformationMessage(texts.preflight.copied(lines.length));
}
