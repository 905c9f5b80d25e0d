// Live cluster: a context that is followed whatever happens to its kubeconfig: removed, the connection ends at once;
// changed, it is made anew; back again, it is followed again.
import type { ObjectWriter } from "../change.ts";
import type { OnNodeQuestions, OnNodeReading } from "../on-node.ts";
import { type ChosenContext, chosenFiles, findContext } from "./kubeconfig/choose.ts";
import { type ContextNews, watchContext } from "./kubeconfig/context-watch.ts";
import type { KubeContext } from "./kubeconfig/merge.ts";
import type { LiveCluster } from "./live-cluster.ts";
import { describeContext, type LiveHandlers, type LiveSettings, openContext } from "./open-context.ts";
import { SYSTEM_CLOCK } from "./watch/clock.ts";
import type { ChangePermit } from "./write/permit.ts";

export interface FollowHandlers extends LiveHandlers {
  /** The context is not there any more, or cannot be used as it stands now; a sentence. Nothing is contacted until it can. */
  readonly onGone: (reason: string) => void;
  /** A new connection follows the context; `elsewhere`: it leads to another server, so nothing that was read counts. */
  readonly onChanged: (description: string, elsewhere: boolean) => void;
  /** Milliseconds between two looks at the kubeconfig. */
  readonly lookEvery?: number;
}

const LOOK_EVERY = 2_000;

export class FollowedContext {
  readonly context: KubeContext;
  readonly #settings: LiveSettings;
  readonly #handlers: FollowHandlers;
  readonly #stop = new AbortController();
  #cluster: LiveCluster | null = null;
  #watching: Promise<void> = Promise.resolve();

  private constructor(context: KubeContext, settings: LiveSettings, handlers: FollowHandlers) {
    this.context = context;
    this.#settings = settings;
    this.#handlers = handlers;
  }

  /**
   * Finds a context and begins to follow it. `found` is called before anything is contacted.
   * @throws CredentialError when there is no such context, or it cannot be used.
   */
  static async open(
    chosen: ChosenContext,
    settings: LiveSettings,
    handlers: FollowHandlers,
    found: (context: KubeContext) => Promise<void> = () => Promise.resolve(),
  ): Promise<FollowedContext> {
    const files = chosenFiles(chosen, settings);
    const loaded = await files.load();
    const context = files.find(loaded) ?? findContext(loaded, chosen.name);
    await found(context);
    const followed = new FollowedContext(context, settings, handlers);
    await followed.#connect(context);
    // A choice of the current context stays with that context.
    const { paths, load, find } = chosenFiles({ ...chosen, name: context.name }, settings);
    const onNews = (news: ContextNews): Promise<void> =>
      news.kind === "gone" ? followed.#gone() : followed.#changed(news.context, news.elsewhere);
    const every = handlers.lookEvery ?? LOOK_EVERY;
    followed.#watching = watchContext(
      context,
      { clock: SYSTEM_CLOCK, every, paths, load, find, onNews },
      followed.#stop.signal,
    );
    return followed;
  }

  /** What is followed now; null while there is nothing to follow. */
  get cluster(): LiveCluster | null {
    return this.#cluster;
  }

  /** Tries everything that waits now, because a person asks. */
  retryNow(): void {
    this.#cluster?.retryNow();
  }

  /** Asks a node's kubelet; rejects where nothing is followed. */
  async askNode(questions: OnNodeQuestions, signal: AbortSignal): Promise<OnNodeReading> {
    if (this.#cluster === null) throw new Error(`the context ${this.context.name} is not followed now`);
    return this.#cluster.askNode(questions, signal);
  }

  /** What changes single objects, of the connection as it is now; null where nothing is followed. */
  writer(permit: ChangePermit): ObjectWriter | null {
    return this.#cluster?.writer(permit) ?? null;
  }

  /** Ends the connection and the looks; resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#disconnect();
    await this.#watching;
    await this.#disconnect();
  }

  async #connect(context: KubeContext): Promise<void> {
    this.#cluster = await openContext(context, this.#settings, this.#handlers);
  }

  async #disconnect(): Promise<void> {
    const cluster = this.#cluster;
    this.#cluster = null;
    await cluster?.stop();
  }

  async #gone(): Promise<void> {
    await this.#disconnect();
    this.#handlers.onGone(
      `the context "${this.context.name}" is no longer in the kubeconfig: it is not followed any more`,
    );
  }

  async #changed(context: KubeContext, elsewhere: boolean): Promise<void> {
    await this.#disconnect();
    if (this.#stop.signal.aborted) return;
    this.#handlers.onChanged(describeContext(context), elsewhere);
    try {
      await this.#connect(context);
    } catch (error) {
      this.#handlers.onGone(error instanceof Error ? error.message : String(error));
    }
  }
}
