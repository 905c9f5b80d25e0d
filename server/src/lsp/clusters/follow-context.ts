// LSP layer: a live context followed for the pool. Everything of the live reader is loaded here, when one is chosen.
import type { LiveCache } from "../../cluster/live/cache.ts";
import type { PluginRun } from "../../cluster/live/credentials/exec-plugin.ts";
import type { FollowedContext } from "../../cluster/live/followed-context.ts";
import type { ReflectorState } from "../../cluster/live/watch/state.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import type { ContextFollower, FollowContext } from "./cluster-pool.ts";
import { mayRunPlugin, type PermissionSetting } from "./permission.ts";
import type { SignInProgress } from "./sign-in-progress.ts";
import type { ClusterSource } from "./source.ts";

export interface FollowSettings {
  /** The kubeconfig a person named; empty: the usual files. */
  readonly kubeconfig: () => string;
  readonly extraPath: () => readonly string[];
  /** Seconds that a credential plugin may take. */
  readonly signInTimeout: () => number;
  /** Read where the whole cluster may not be. */
  readonly namespaces: () => readonly string[];
  /** Where models are remembered between two starts; null: nowhere. */
  readonly storage: string | null;
  readonly log: (line: string) => void;
  /** False in an untrusted workspace: no kubeconfig is read, no plugin is run, nothing is contacted. */
  readonly trusted: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What may be done for a context without a person's word. */
  readonly permission: (source: ContextSource) => PermissionSetting;
  readonly signIn: SignInProgress;
}

type ContextSource = Extract<ClusterSource, { readonly kind: "context" }>;

/** Makes the pool's opener. The opener rejects with a sentence when the context cannot be used. */
export function contextFollower(settings: FollowSettings): FollowContext {
  return async (source, changed) => {
    if (!settings.trusted()) {
      throw new Error(`the context ${source.context} is not opened: the workspace is not trusted`);
    }
    const { defaultLiveSettings, describeContext } = await import("../../cluster/live/open-context.ts");
    const following = await import("../../cluster/live/followed-context.ts");
    const remembering = await import("../../cluster/live/cache.ts");
    const { problemsOf } = await import("../../cluster/live/problems.ts");
    const live = {
      ...defaultLiveSettings(settings.environment, (line) => {
        settings.log(line);
        settings.signIn.onLine(line);
      }),
      mayRun: (run: PluginRun) => mayRunPlugin(source.context, run, settings.permission(source)),
      mayUsePlainHttp: (server: string) =>
        settings.permission(source).ask({ kind: "plain-http", context: source.context, server }),
      onPluginRun: settings.signIn.onRun,
      kubeconfig: settings.kubeconfig(),
      extraPath: settings.extraPath(),
      namespaces: settings.namespaces(),
      pluginDeadline: settings.signInTimeout() * 1000,
    };
    let description = source.context;
    let cache: LiveCache | null = null;
    let model: ClusterModel | null = null;
    let followed: FollowedContext | null = null;
    const tell = (states: ReadonlyMap<string, ReflectorState>): void => {
      const cluster = followed?.cluster ?? null;
      const problems = problemsOf(states, timeOfDay);
      // Between the last list and the first model there is neither: that is not "no cluster".
      const loading = model === null && (cluster?.settled !== true || problems.length === 0);
      const forbidden = model === null && states.get("nodes")?.phase === "forbidden";
      changed({ model, loading, problems, description, forbidden });
    };
    followed = await following.FollowedContext.open(
      { name: source.context, kubeconfig: source.kubeconfig },
      live,
      {
        onModel: (next) => {
          // Before anything was read there is only the memory of the last time.
          if (next.origin !== "none") {
            model = next;
            cache?.remember(next);
          }
          tell(followed?.cluster?.states ?? new Map());
        },
        onState: tell,
        onGone: (reason) => {
          model = null;
          settings.log(reason);
          changed({ model, loading: false, problems: [reason], description });
        },
        onChanged: (now, elsewhere) => {
          settings.log(`the kubeconfig says something else of ${source.context} now: connecting anew`);
          description = now;
          model = model === null || elsewhere ? null : { ...model, origin: "cache" };
          changed({ model, loading: model === null, problems: [], description });
        },
      },
      async (context) => {
        description = describeContext(context);
        if (settings.storage === null) return;
        cache = new remembering.LiveCache(settings.storage, remembering.cacheKeyOf(context), settings.log);
        model = await cache.read();
        if (model !== null) changed({ model, loading: false, problems: [], description });
      },
    );
    const opened = followed;
    const follower: ContextFollower = {
      stop: async () => {
        await opened.stop();
        await cache?.flush();
      },
      retryNow: () => opened.retryNow(),
      askNode: (questions, signal) => opened.askNode(questions, signal),
      writer: (permit) => opened.writer(permit),
    };
    return follower;
  };
}

/** `10:32:05`, as the clock on the wall says. */
function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
