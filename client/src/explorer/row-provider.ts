// Client: the rows of one view, asked for when a branch is opened; the server answers from memory.
import { type Disposable, EventEmitter, type TreeDataProvider, type TreeItem } from "vscode";
import {
  type ExplorerOptions,
  type ExplorerRow,
  ExplorerRows,
  type ExplorerRowsResult,
  type ExplorerViewName,
} from "../../../shared/src/explorer.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { treeItemOf } from "./row-look.ts";

/** Rows shown below one parent before a person asks for more, and added by each such wish. */
const PAGE = 500;

const MORE_COMMAND = "taintwise.explorerMore";

export class RowProvider implements TreeDataProvider<ExplorerRow>, Disposable {
  readonly #view: ExplorerViewName;
  readonly #server: LanguageServer;
  readonly #options: () => ExplorerOptions;
  readonly #changed = new EventEmitter<ExplorerRow | undefined>();
  readonly #answered = new EventEmitter<ExplorerRowsResult>();
  /** How many rows are wanted below a parent (`` for the top), where it is not one page. */
  readonly #limits = new Map<string, number>();
  readonly #parents = new Map<string, ExplorerRow>();

  constructor(view: ExplorerViewName, server: LanguageServer, options: () => ExplorerOptions) {
    this.#view = view;
    this.#server = server;
    this.#options = options;
  }

  readonly onDidChangeTreeData = this.#changed.event;
  /** The answers for the top of the view. */
  readonly onAnswered = this.#answered.event;

  getTreeItem(row: ExplorerRow): TreeItem {
    return treeItemOf(row, MORE_COMMAND);
  }

  /** Empty while the server is down: the view's welcome text says why. */
  async getChildren(parent?: ExplorerRow): Promise<ExplorerRow[]> {
    if (this.#server.phase !== "running") return [];
    const answer = await this.#server.request(ExplorerRows, {
      view: this.#view,
      parent: parent?.id ?? null,
      limit: this.#limits.get(parent?.id ?? "") ?? PAGE,
      options: this.#options(),
    });
    if (parent === undefined) {
      this.#parents.clear();
      this.#answered.fire(answer);
    }
    for (const row of answer.rows) if (parent !== undefined) this.#parents.set(row.id, parent);
    return [...answer.rows];
  }

  getParent(row: ExplorerRow): ExplorerRow | undefined {
    return this.#parents.get(row.id);
  }

  /** One page more where this row stands. */
  more(row: ExplorerRow): void {
    const parent = this.#parents.get(row.id);
    const key = parent?.id ?? "";
    this.#limits.set(key, (this.#limits.get(key) ?? PAGE) + PAGE);
    this.#changed.fire(parent);
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#answered.dispose();
  }
}
