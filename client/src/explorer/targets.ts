// Client: what a command of the explorer is about: the row it was called on, else what a person picks.
import { window } from "vscode";
import { type ExplorerRow, ExplorerRows, type RowTarget } from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { texts } from "../texts.ts";

/** Nodes offered to pick from. */
const OFFERED = 5000;

/** The target of a row given by a menu; null for anything else. */
export function targetOf(argument: unknown): RowTarget | null {
  if (typeof argument !== "object" || argument === null || !("target" in argument)) return null;
  const { target } = argument;
  if (typeof target !== "object" || target === null) return null;
  if (!("cluster" in target) || !("kind" in target) || !("name" in target)) return null;
  const { cluster, kind, name } = target;
  if (typeof cluster !== "string" || typeof kind !== "string" || typeof name !== "string") return null;
  const namespace = "namespace" in target && typeof target.namespace === "string" ? target.namespace : null;
  const node = "node" in target && typeof target.node === "string" ? target.node : null;
  return { cluster, kind, namespace, name, node };
}

/** Lets a person pick a node, worst first; `whole` offers the whole cluster too (null). Undefined: backed out. */
export async function pickNode(server: LanguageServer, whole: boolean): Promise<RowTarget | null | undefined> {
  const options = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;
  const nodes = await rowsBelow(server, null, options);
  const items = [
    ...(whole ? [{ label: texts.explorer.wholeCluster(), description: "", target: null }] : []),
    ...nodes.map((row) => ({ label: row.label, description: row.description, target: row.target })),
  ];
  const picked = await window.showQuickPick(items, {
    placeHolder: texts.explorer.whichNode(),
    matchOnDescription: true,
  });
  return picked?.target;
}

/** The node rows of every cluster. */
async function rowsBelow(
  server: LanguageServer,
  parent: string | null,
  options: Parameters<typeof request>[2],
): Promise<readonly ExplorerRow[]> {
  const rows = await request(server, parent, options);
  const below = await Promise.all(
    rows.filter(({ kind }) => kind === "cluster").map(({ id }) => request(server, id, options)),
  );
  return [...rows, ...below.flat()].filter(({ kind }) => kind === "node");
}

async function request(
  server: LanguageServer,
  parent: string | null,
  options: { readonly grouping: "flat"; readonly poolLabel: ""; readonly filter: ""; readonly onlyProblems: false },
): Promise<readonly ExplorerRow[]> {
  const { rows } = await server.request(ExplorerRows, { view: "nodes", parent, limit: OFFERED, options });
  return rows;
}
