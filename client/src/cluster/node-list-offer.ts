// Client: offers an opened list of nodes as the cluster, once for each file.
import { basename } from "node:path";
import { type Disposable, type Memento, Range, type TextDocument, window, workspace } from "vscode";
import { texts } from "../texts.ts";
import type { ClusterSource } from "./cluster-source.ts";
import { HEAD_LENGTH, looksLikeNodes } from "./node-list.ts";
import { switchCluster } from "./select-cluster.ts";

const DECLINED_KEY = "cluster.declinedFiles";
const LANGUAGES: ReadonlySet<string> = new Set(["yaml", "json", "jsonc"]);

/** Watches what is opened until disposed. */
export function offerNodeLists(source: ClusterSource, workspaceState: Memento): Disposable {
  const asked = new Set<string>();

  const offer = async (document: TextDocument): Promise<void> => {
    if (document.uri.scheme !== "file" || !LANGUAGES.has(document.languageId)) return;
    const path = document.uri.fsPath;
    if (asked.has(path) || source.uses(path) || declined(workspaceState).includes(path)) return;
    if (!looksLikeNodes(head(document))) return;
    asked.add(path);
    const answer = await window.showInformationMessage(
      texts.select.offer(basename(path)),
      texts.select.offerUse(),
      texts.select.offerNever(),
    );
    if (answer === texts.select.offerUse()) await switchCluster(source, { kind: "file", path });
    if (answer === texts.select.offerNever()) {
      await workspaceState.update(DECLINED_KEY, [...declined(workspaceState), path]);
    }
  };

  const active = window.activeTextEditor?.document;
  if (active) void offer(active);
  // Only what a person looks at: other extensions open documents too.
  return window.onDidChangeActiveTextEditor((editor) => {
    if (editor && workspace.textDocuments.includes(editor.document)) void offer(editor.document);
  });
}

function head(document: TextDocument): string {
  return document.getText(new Range(document.positionAt(0), document.positionAt(HEAD_LENGTH)));
}

function declined(state: Memento): readonly string[] {
  const stored: unknown = state.get(DECLINED_KEY);
  return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
}
