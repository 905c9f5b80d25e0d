// Client: the two views of the explorer: drawn, refreshed, with badge, message and welcome text.
import { commands, type Disposable, type TreeView, window, workspace } from "vscode";
import {
  ExplorerChanged,
  type ExplorerRow,
  type ExplorerSummary,
  type ExplorerViewName,
} from "../../../shared/src/explorer.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";
import type { ClusterSource } from "../cluster/cluster-source.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { texts } from "../texts.ts";
import { RefreshGate } from "./refresh-gate.ts";
import { RowProvider } from "./row-provider.ts";
import type { ViewSettings } from "./view-settings.ts";
import { viewState } from "./view-state.ts";

const CLOCK = {
  now: () => performance.now(),
  later: (run: () => void, milliseconds: number) => {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

export class ExplorerViews implements Disposable {
  readonly #views: readonly OneView[];
  readonly #subscriptions: readonly Disposable[];
  #paused = false;
  /** Which clusters the rows are of. */
  #clusters = "";

  /** `onChange` is called when nodes were judged anew. */
  constructor(server: LanguageServer, source: ClusterSource, settings: ViewSettings, onChange: () => void) {
    const names: readonly ExplorerViewName[] = ["nodes", "workloads"];
    this.#views = names.map((name) => new OneView(name, server, source, settings));
    server.onNotification(ExplorerChanged, (summary) => {
      this.#changed(summary);
      onChange();
    });
    this.#subscriptions = [
      settings.onChanged(() => this.refresh()),
      source.onChanged(() => this.#sourceChanged(source)),
      server.onPhaseChanged(() => this.refresh()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SETTINGS_SECTION}.explorer`)) this.refresh();
      }),
    ];
    void commands.executeCommand("setContext", "taintwise.explorerPaused", false);
  }

  /** Draws again what is visible, and the rest when it is shown. */
  refresh(): void {
    for (const view of this.#views) view.gate.change();
  }

  /** Shows further rows where the row stands. */
  more(row: ExplorerRow): void {
    for (const view of this.#views) if (row.id.startsWith(view.name)) view.provider.more(row);
  }

  /** While paused the rows stay as they are, whatever the cluster does. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    void commands.executeCommand("setContext", "taintwise.explorerPaused", paused);
    for (const view of this.#views) view.setPaused(paused);
    if (!paused) this.refresh();
  }

  dispose(): void {
    for (const each of [...this.#subscriptions, ...this.#views]) each.dispose();
  }

  /** Paused rows stay as they are, but not those of a cluster that is no longer in use. */
  #sourceChanged({ state }: ClusterSource): void {
    const clusters = (state?.clusters ?? []).map((cluster) => cluster.source).join("\n");
    const switched = clusters !== this.#clusters;
    this.#clusters = clusters;
    if (switched || !this.#paused) this.refresh();
    else for (const view of this.#views) view.draw();
  }

  #changed({ problems, nodes }: ExplorerSummary): void {
    for (const view of this.#views) view.setBadge(problems, nodes);
    if (!this.#paused) this.refresh();
  }
}

class OneView implements Disposable {
  readonly name: ExplorerViewName;
  readonly provider: RowProvider;
  readonly gate: RefreshGate;
  readonly #tree: TreeView<ExplorerRow>;
  readonly #subscriptions: readonly Disposable[];
  readonly #source: ClusterSource;
  #message = "";
  #empty = false;
  #paused = false;

  constructor(name: ExplorerViewName, server: LanguageServer, source: ClusterSource, settings: ViewSettings) {
    this.name = name;
    this.#source = source;
    this.provider = new RowProvider(name, server, () => settings.options);
    this.#tree = window.createTreeView(`taintwise.${name}`, {
      treeDataProvider: this.provider,
      showCollapseAll: true,
    });
    this.gate = new RefreshGate(() => {
      this.#tellState(viewState(server.phase, source.state, 1, false));
      this.provider.refresh();
    }, CLOCK);
    this.gate.setVisible(this.#tree.visible);
    this.#subscriptions = [
      this.#tree.onDidChangeVisibility(({ visible }) => this.gate.setVisible(visible)),
      this.provider.onAnswered(({ rows, message, judging }) => {
        const state = viewState(server.phase, source.state, rows.length, settings.options.filter !== "");
        // Nothing is healthy before it was judged.
        this.#tellState(judging && rows.length === 0 ? "starting" : state);
        this.#empty = rows.length === 0;
        this.#message = [judging ? texts.explorer.judging() : "", message].filter((part) => part !== "").join(" · ");
        this.draw();
      }),
    ];
    this.#tellState(viewState(server.phase, source.state, 1, false));
  }

  setBadge(problems: number, nodes: number): void {
    // One badge on the container is enough: the Nodes view carries it.
    if (this.name !== "nodes") return;
    this.#tree.badge = problems === 0 ? undefined : { value: problems, tooltip: texts.explorer.badge(problems, nodes) };
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.draw();
  }

  dispose(): void {
    this.gate.dispose();
    for (const each of [...this.#subscriptions, this.provider, this.#tree]) each.dispose();
  }

  /** Says what limits the rows: above them, or in the title where there are none, for a message would hide the welcome text. */
  draw(): void {
    const [problem = ""] = this.#source.state?.problems ?? [];
    const parts = [this.#paused ? texts.explorer.paused() : "", problem, this.#message];
    const text = parts.filter((part) => part !== "").join(" · ");
    // An empty text hides the row.
    this.#tree.message = this.#empty ? "" : text;
    this.#tree.description = this.#empty ? text : "";
  }

  #tellState(state: string): void {
    void commands.executeCommand("setContext", `taintwise.${this.name}State`, state);
  }
}
