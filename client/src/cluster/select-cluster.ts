// Client: the command "Select Cluster".
import { basename, dirname } from "node:path";
import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from "vscode";
import type { ClusterChoice, ClusterState } from "../../../shared/src/protocol.ts";
import { showFailure } from "../messages.ts";
import { texts } from "../texts.ts";
import { chooseContext } from "./choose-context.ts";
import type { ClusterSource } from "./cluster-source.ts";
import { choiceKey } from "./recent-clusters.ts";

interface ClusterItem extends QuickPickItem {
  /** What to do when it is picked; undefined for a separator. `false` means the user backed out. */
  readonly choose?: () => Promise<ClusterChoice | null | false>;
}

/** Asks for a cluster and switches to it. Resolves with the new state, or null when the user backed out or it failed. */
export async function selectCluster(source: ClusterSource): Promise<ClusterState | null> {
  const picked = await window.showQuickPick(items(source), {
    title: texts.select.title(),
    placeHolder: texts.select.placeholder(),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  try {
    const choice = await picked?.choose?.();
    return choice === undefined || choice === false ? null : await switchCluster(source, choice);
  } catch (error) {
    showFailure(error);
    return null;
  }
}

/** Switches to the file or folder that was clicked in the explorer, or to the active editor's. */
export async function useAsCluster(source: ClusterSource, resource: unknown): Promise<ClusterState | null> {
  const uri = resource instanceof Uri ? resource : window.activeTextEditor?.document.uri;
  return uri?.scheme === "file" ? switchCluster(source, { kind: "file", path: uri.fsPath }) : null;
}

/** Switches to `choice` and tells how it went. */
export async function switchCluster(source: ClusterSource, choice: ClusterChoice | null): Promise<ClusterState | null> {
  try {
    const state = await source.select(choice);
    const [problem] = state.problems;
    if (problem !== undefined) {
      void window.showErrorMessage(texts.select.failed(problem));
    } else if (state.clusters.length === 1 && state.clusters[0]) {
      window.setStatusBarMessage(texts.select.now(state.clusters[0].name, state.clusters[0].nodes), 5000);
    }
    return state;
  } catch (error) {
    showFailure(error);
    return null;
  }
}

function items(source: ClusterSource): readonly ClusterItem[] {
  const current = source.choice;
  const isCurrent = (choice: ClusterChoice | null): boolean =>
    choice === null || current === null ? choice === current : choiceKey(choice) === choiceKey(current);
  const mark = (choice: ClusterChoice | null): { readonly description?: string } =>
    isCurrent(choice) ? { description: texts.select.chosen() } : {};

  const recent = source.recent.map(
    (choice): ClusterItem => ({
      label: `$(${choice.kind === "file" ? "file" : "server"}) ${labelOf(choice)}`,
      detail: detailOf(choice),
      ...mark(choice),
      choose: async () => choice,
    }),
  );
  return [
    {
      label: `$(file-add) ${texts.select.openFile()}`,
      detail: texts.select.openFileDetail(),
      choose: () => browse("file"),
    },
    {
      label: `$(folder-opened) ${texts.select.openFolder()}`,
      detail: texts.select.openFolderDetail(),
      choose: () => browse("folder"),
    },
    {
      label: `$(server-environment) ${texts.select.openContext()}`,
      detail: texts.select.openContextDetail(),
      choose: () => chooseContext(source),
    },
    ...(recent.length > 0 ? [{ label: texts.select.recent(), kind: QuickPickItemKind.Separator }, ...recent] : []),
    { label: "", kind: QuickPickItemKind.Separator },
    { label: `$(settings-gear) ${texts.select.asConfigured()}`, ...mark(null), choose: async () => null },
    {
      label: `$(circle-slash) ${texts.select.none()}`,
      detail: texts.select.noneDetail(),
      ...mark({ kind: "none" }),
      choose: async () => ({ kind: "none" }),
    },
  ];
}

async function browse(what: "file" | "folder"): Promise<ClusterChoice | false> {
  const start = workspace.workspaceFolders?.[0]?.uri;
  const picked = await window.showOpenDialog({
    title: texts.select.title(),
    openLabel: texts.select.use(),
    canSelectFiles: what === "file",
    canSelectFolders: what === "folder",
    canSelectMany: false,
    ...(start ? { defaultUri: start } : {}),
    ...(what === "file" ? { filters: { [texts.select.clusterFiles()]: ["yaml", "yml", "json"] } } : {}),
  });
  const uri = picked?.[0];
  return uri ? { kind: "file", path: uri.fsPath } : false;
}

function labelOf(choice: ClusterChoice): string {
  switch (choice.kind) {
    case "file":
      return basename(choice.path);
    case "context":
      return choice.name;
    case "none":
      return texts.select.none();
  }
}

function detailOf(choice: ClusterChoice): string {
  switch (choice.kind) {
    case "file":
      return dirname(choice.path);
    case "context":
      return choice.kubeconfig ?? "";
    case "none":
      return "";
  }
}
