// Client: what a command of the explorer is about: the row it was called on, else what a person picks.
import { window } from "vscode";
import {
  type ExplorerOptions,
  type ExplorerRow,
  ExplorerRows,
  type ExplorerViewName,
  type RowKind,
  type RowTarget,
} from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { texts } from "../texts.ts";

/** Rows of one branch that are offered to pick from. */
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

/** Lets a person pick a node, worst first. Undefined: backed out. */
export async function pickNode(server: LanguageServer): Promise<RowTarget | undefined> {
  const picked = await pick(await rowsOf(server, "nodes", "node"), texts.explorer.whichNode());
  return picked?.target ?? undefined;
}

/** Lets a person pick a node or a workload in trouble; `whole` offers the whole cluster too (null). Undefined: backed out. */
export async function pickTarget(server: LanguageServer, whole: boolean): Promise<RowTarget | null | undefined> {
  const [nodes, workloads] = await Promise.all([
    rowsOf(server, "nodes", "node"),
    rowsOf(server, "workloads", "workload"),
  ]);
  const all = { label: texts.explorer.wholeCluster(), description: "", target: null };
  const picked = await pick([...(whole ? [all] : []), ...nodes, ...workloads], texts.explorer.whichTarget());
  return picked?.target;
}

/** Lets a person pick a workload in trouble; null where there is none. Undefined: backed out. */
export async function pickWorkload(server: LanguageServer): Promise<RowTarget | null | undefined> {
  const workloads = await rowsOf(server, "workloads", "workload");
  if (workloads.length === 0) return null;
  const picked = await pick(workloads, texts.explorer.whichWorkload());
  return picked?.target ?? undefined;
}

interface Choice {
  readonly label: string;
  readonly description: string;
  readonly target: RowTarget | null;
}

function pick(items: readonly Choice[], placeHolder: string): Thenable<Choice | undefined> {
  return window.showQuickPick(items, { placeHolder, matchOnDescription: true });
}

/** The rows of a kind in a view of every cluster, each once. */
async function rowsOf(
  server: LanguageServer,
  view: ExplorerViewName,
  kind: RowKind,
  parent: string | null = null,
): Promise<readonly ExplorerRow[]> {
  const { rows } = await server.request(ExplorerRows, { view, parent, limit: OFFERED, options: EVERYTHING });
  const below = await Promise.all(
    rows.filter((row) => BRANCHES.has(row.kind)).map(({ id }) => rowsOf(server, view, kind, id)),
  );
  const found = [...rows.filter((row) => row.kind === kind), ...below.flat()];
  // A workload with a gap and a time bomb stands in both groups.
  return [...new Map(found.map((row) => [`${row.target?.cluster} ${row.target?.kind} ${row.label}`, row])).values()];
}

const EVERYTHING: ExplorerOptions = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false };

/** Rows that hold those of nodes and workloads. */
const BRANCHES: ReadonlySet<RowKind> = new Set(["cluster", "group"]);
