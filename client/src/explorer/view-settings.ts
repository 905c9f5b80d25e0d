// Client: how a person wants the explorer's views: grouping, filter, only problems; remembered for the workspace.
import { commands, type Disposable, EventEmitter, type Memento, workspace } from "vscode";
import type { ExplorerOptions, NodeGrouping } from "../../../shared/src/explorer.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import { readSettings } from "../../../shared/src/settings-reader.ts";

const KEY = "explorer.view";
const GROUPINGS: readonly NodeGrouping[] = ["pool", "flat", "problem"];

interface Remembered {
  readonly grouping: NodeGrouping;
  readonly filter: string;
  readonly onlyProblems: boolean;
}

export class ViewSettings implements Disposable {
  readonly #memento: Memento;
  readonly #changed = new EventEmitter<void>();
  #now: Remembered;

  constructor(memento: Memento) {
    this.#memento = memento;
    this.#now = readRemembered(memento.get(KEY));
    this.#tell();
  }

  readonly onChanged = this.#changed.event;

  get options(): ExplorerOptions {
    const { poolLabel } = readSettings(workspace.getConfiguration().get(SETTINGS_SECTION)).settings.explorer;
    return { ...this.#now, poolLabel };
  }

  async change(change: Partial<Remembered>): Promise<void> {
    this.#now = { ...this.#now, ...change };
    this.#tell();
    this.#changed.fire();
    await this.#memento.update(KEY, this.#now);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Menus show what can be switched. */
  #tell(): void {
    void commands.executeCommand("setContext", "taintwise.explorerFiltered", this.#now.filter !== "");
    void commands.executeCommand("setContext", "taintwise.explorerOnlyProblems", this.#now.onlyProblems);
  }
}

/** What an earlier version of the extension may have kept in another shape counts as nothing. */
export function readRemembered(value: unknown): Remembered {
  const fields = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const filter: unknown = fields.get("filter");
  return {
    grouping: GROUPINGS.find((grouping) => grouping === fields.get("grouping")) ?? "pool",
    filter: typeof filter === "string" ? filter : "",
    onlyProblems: fields.get("onlyProblems") === true,
  };
}
