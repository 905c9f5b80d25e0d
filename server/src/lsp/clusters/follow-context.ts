// LSP layer: a live context followed for the pool. Everything of the live reader is loaded here, when one is chosen.
import type { LiveCluster } from "../../cluster/live/live-cluster.ts";
import type { ReflectorState } from "../../cluster/live/watch/state.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import type { ContextFollower, FollowContext } from "./cluster-pool.ts";

export interface FollowSettings {
  /** The kubeconfig a person named; empty: the usual files. */
  readonly kubeconfig: () => string;
  readonly extraPath: () => readonly string[];
  /** Where models are remembered between two starts; null: nowhere. */
  readonly storage: string | null;
  readonly log: (line: string) => void;
  /** False in an untrusted workspace: no kubeconfig is read, no plugin is run, nothing is contacted. */
  readonly trusted: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Makes the pool's opener. The opener rejects with a sentence when the context cannot be used. */
export function contextFollower(settings: FollowSettings): FollowContext {
  return async (source, changed) => {
    if (!settings.trusted()) {
      throw new Error(`the context ${source.context} is not opened: the workspace is not trusted`);
    }
    const { defaultLiveSettings, describeContext, findContext, openContext, readContexts } = await import(
      "../../cluster/live/open-context.ts"
    );
    const { LiveCache } = await import("../../cluster/live/cache.ts");
    const live = {
      ...defaultLiveSettings(settings.environment, settings.log),
      kubeconfig: source.kubeconfig ?? settings.kubeconfig(),
      extraPath: settings.extraPath(),
    };
    const context = findContext(await readContexts(live), source.context);
    const description = describeContext(context);
    const cache =
      settings.storage === null
        ? null
        : new LiveCache(settings.storage, { path: context.path, name: context.name }, settings.log);
    let model: ClusterModel | null = (await cache?.read()) ?? null;
    let cluster: LiveCluster | null = null;
    const tell = (states: ReadonlyMap<string, ReflectorState>): void => {
      const loading = model === null && cluster !== null && !cluster.settled;
      changed({ model, loading, problems: problemsOf(states), description });
    };
    if (model !== null) changed({ model, loading: false, problems: [], description });
    const opened = await openContext(context, live, {
      onModel: (next) => {
        // Before anything was read there is only the memory of the last time.
        if (next.origin === "none") return;
        model = next;
        cache?.remember(next);
        tell(cluster?.states ?? new Map());
      },
      onState: tell,
    });
    cluster = opened;
    const follower: ContextFollower = {
      stop: async () => {
        await opened.stop();
        await cache?.flush();
      },
      retryNow: () => opened.retryNow(),
      askNode: (questions, signal) => opened.askNode(questions, signal),
    };
    return follower;
  };
}

/** One sentence for each different problem: an unreachable server says the same for every resource. */
function problemsOf(states: ReadonlyMap<string, ReflectorState>): readonly string[] {
  const told = new Set<string>();
  for (const state of states.values()) {
    if (state.problem !== "" && state.phase !== "not-served" && state.phase !== "watching") told.add(state.problem);
  }
  return [...told].slice(0, 5);
}
