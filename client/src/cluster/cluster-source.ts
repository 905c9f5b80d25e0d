// Client: the cluster in use. Remembers the choice for this workspace, tells the server, and holds the state it answers with.
import { type Disposable, EventEmitter, type Memento } from "vscode";
import {
  type ClusterChoice,
  type ClusterState,
  ClusterStateChanged,
  type ContextChoices,
  GetContexts,
  SelectCluster,
} from "../../../shared/src/protocol.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { choiceKey, readChoice, readChoices, remember } from "./recent-clusters.ts";

const CHOICE_KEY = "cluster.choice";
const RECENT_KEY = "cluster.recent";

/** One for the window; everything that shows or changes the cluster goes through it. */
export class ClusterSource implements Disposable {
  readonly #server: LanguageServer;
  readonly #workspaceState: Memento;
  readonly #globalState: Memento;
  readonly #changed = new EventEmitter<ClusterState>();
  #state: ClusterState | null = null;

  constructor(server: LanguageServer, workspaceState: Memento, globalState: Memento) {
    this.#server = server;
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
    server.onNotification(ClusterStateChanged, (state) => this.#take(state));
  }

  readonly onChanged = this.#changed.event;

  /** The last state that the server told; null before the first. */
  get state(): ClusterState | null {
    return this.#state;
  }

  /** What the user chose in this workspace; null: settings and workspace file decide. */
  get choice(): ClusterChoice | null {
    return readChoice(this.#workspaceState.get(CHOICE_KEY));
  }

  get recent(): readonly ClusterChoice[] {
    return readChoices(this.#globalState.get(RECENT_KEY));
  }

  /**
   * Switches to `choice` and resolves with the state after it was read. A source that cannot be used is kept as the
   * choice (the status bar shows why), but not among the recent ones.
   */
  async select(choice: ClusterChoice | null): Promise<ClusterState> {
    const state = await this.#server.request(SelectCluster, { choice });
    const stored = this.#workspaceState.update(CHOICE_KEY, choice ?? undefined);
    // At once: while the choice is stored, newer states may come, and the answer must not replace them.
    this.#take(state);
    await stored;
    if (choice !== null && state.problems.length === 0) {
      await this.#globalState.update(RECENT_KEY, remember(this.recent, choice));
    }
    return state;
  }

  /** The contexts that the kubeconfig names. Contacts nothing. */
  contexts(): Promise<ContextChoices> {
    return this.#server.request(GetContexts, {});
  }

  /** Whether a file or folder is already in use. */
  uses(path: string): boolean {
    const { choice } = this;
    if (choice !== null && choiceKey(choice) === choiceKey({ kind: "file", path })) return true;
    return this.#state?.clusters.some((cluster) => cluster.source === path) ?? false;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #take(state: ClusterState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}
