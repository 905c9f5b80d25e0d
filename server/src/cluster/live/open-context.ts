// Live cluster: from a context's name to a followed cluster. The door through which the command line and the language
// server come in; nothing is contacted and no plugin is started before a context is opened.
import type { ClusterModel } from "../model.ts";
import type { OnNodeQuestions, OnNodeReading } from "../on-node.ts";
import { CredentialError } from "./credentials/credential.ts";
import type { Permission, PluginRun } from "./credentials/exec-plugin.ts";
import { deferred } from "./deferred.ts";
import type { KubeconfigSettings } from "./kubeconfig/choose.ts";
import { type ConnectSurroundings, connect } from "./kubeconfig/connection.ts";
import { type KubeContext, serverUrl } from "./kubeconfig/merge.ts";
import { LiveCluster } from "./live-cluster.ts";
import { readOnNode } from "./node-proxy/node-proxy.ts";
import { readVersion } from "./server-version.ts";
import { ApiClient } from "./transport/api-client.ts";
import { describeUrl } from "./transport/endpoint.ts";
import { SYSTEM_CLOCK } from "./watch/clock.ts";
import { DEFAULT_LIMITS, type ReflectorLimits } from "./watch/limits.ts";
import type { ReflectorState } from "./watch/state.ts";

export { findContext, readContexts } from "./kubeconfig/choose.ts";

export interface LiveSettings extends KubeconfigSettings {
  /** More folders to look for credential plugins in. */
  readonly extraPath: readonly string[];
  /** Milliseconds a credential plugin may take. */
  readonly pluginDeadline: number;
  /** Whether plugins may run at all. */
  readonly pluginsAllowed: boolean;
  /** Asked before each run where they may: for one that a person must see first (a kubeconfig in the workspace). */
  readonly mayRun?: (run: PluginRun) => Permission | Promise<Permission>;
  /** Told of each run that begins; what it gives back is called when the run has ended. */
  readonly onPluginRun?: (run: PluginRun, cancel: () => void) => () => void;
  /** Namespaces that are read, beside the context's own, where the whole cluster may not be. */
  readonly namespaces: readonly string[];
  /** Whether another machine may be reached by plain http; its URL is asked about. */
  readonly mayUsePlainHttp: (server: string) => boolean | Promise<boolean>;
  /** Lines that a plugin writes for a person. */
  readonly onPluginOutput: (line: string) => void;
}

/** What the process's surroundings say, for callers without settings of their own. */
export function defaultLiveSettings(
  environment: Readonly<Record<string, string | undefined>>,
  onPluginOutput: (line: string) => void,
): LiveSettings {
  return {
    kubeconfig: "",
    extraPath: [],
    pluginDeadline: 60_000,
    pluginsAllowed: true,
    namespaces: [],
    mayUsePlainHttp: () => false,
    environment,
    onPluginOutput,
  };
}

export interface LiveHandlers {
  /** Deadlines and pauses other than the usual ones. */
  readonly limits?: ReflectorLimits;
  readonly onModel: (model: ClusterModel) => void;
  readonly onState: (states: ReadonlyMap<string, ReflectorState>) => void;
}

/**
 * Opens a context and begins to follow it.
 * @throws CredentialError when the context cannot be used; later failures are states, not errors.
 */
export async function openContext(
  context: KubeContext,
  settings: LiveSettings,
  handlers: LiveHandlers,
): Promise<LiveCluster> {
  const client = await connectClient(context, settings);
  const own = context.namespace === "" ? [] : [context.namespace];
  const namespaces = [...new Set([...own, ...settings.namespaces])];
  const cluster = new LiveCluster({ name: context.name, client, clock: SYSTEM_CLOCK, namespaces, ...handlers });
  cluster.start();
  return cluster;
}

/** A client of the context's server; nothing is sent yet, but credentials may be asked for. @throws CredentialError */
async function connectClient(context: KubeContext, settings: LiveSettings): Promise<ApiClient> {
  const surroundings: ConnectSurroundings = {
    environment: settings.environment,
    extraPath: settings.extraPath,
    deadline: settings.pluginDeadline,
    now: () => SYSTEM_CLOCK.now(),
    onOutput: settings.onPluginOutput,
    allowed: (run) => settings.pluginsAllowed && (settings.mayRun?.(run) ?? true),
    mayUsePlainHttp: settings.mayUsePlainHttp,
    ...(settings.onPluginRun === undefined ? {} : { onRun: settings.onPluginRun }),
  };
  const { endpoint, credentials } = await connect(context, surroundings);
  return new ApiClient(endpoint, credentials, () => SYSTEM_CLOCK.now());
}

/**
 * Asks the kubelets of a few nodes once, all of them at the same time, and closes the connection.
 * @throws CredentialError when the context cannot be used; what a kubelet refuses is part of its reading.
 */
export async function askNodesOnce(
  context: KubeContext,
  settings: LiveSettings,
  questions: readonly OnNodeQuestions[],
): Promise<ReadonlyMap<string, OnNodeReading>> {
  const client = await connectClient(context, settings);
  const { signal } = new AbortController();
  try {
    // Tells the server's clock, which the nodes' clocks are held against.
    await readVersion(client, DEFAULT_LIMITS, signal);
    const readings = questions.map(
      async (each) => [each.node, await readOnNode(client, each, () => SYSTEM_CLOCK.now(), signal)] as const,
    );
    return new Map(await Promise.all(readings));
  } finally {
    client.close();
  }
}

/** Where a context leads, for people. */
export function describeContext(context: KubeContext): string {
  const url = context.cluster === null ? null : serverUrl(context.cluster);
  return url === null ? context.name : `${context.name} (${describeUrl(url)})`;
}

/**
 * Reads a context once: opens it, waits until every resource was read or refused, and closes it.
 * @param deadline milliseconds for the whole
 * @throws CredentialError when no list could be read; the sentence names the server and what went wrong.
 */
export async function readContextOnce(
  context: KubeContext,
  settings: LiveSettings,
  deadline: number,
): Promise<ClusterModel> {
  const settled = deferred<ClusterModel>();
  let patience: NodeJS.Timeout | null = null;
  const giveUp = (): void => {
    if (cluster.model.origin === "live") settled.resolve(cluster.model);
    else settled.reject(new CredentialError(tooSlow(context, cluster, deadline)));
  };
  const cluster = await openContext(context, settings, {
    onModel: (model) => {
      // What failed once may come at the next attempt: a reading that will be judged waits for it.
      if (model.origin !== "live") return;
      if (Object.values(model.parts).includes("failed")) patience ??= setTimeout(giveUp, SECOND_CHANCE);
      else settled.resolve(model);
    },
    onState: (states) => {
      const hopeless = hopelessReason(states);
      if (hopeless !== null) settled.reject(new CredentialError(hopeless));
    },
  });
  const timer = setTimeout(giveUp, deadline);
  try {
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    if (patience !== null) clearTimeout(patience);
    await cluster.stop();
  }
}

/** Milliseconds that a kind which could not be read is given before the reading does without it. */
const SECOND_CHANCE = 15_000;

/** A reason why waiting helps nobody: a person must sign in, or nothing answers at all. */
function hopelessReason(states: ReadonlyMap<string, ReflectorState>): string | null {
  const all = [...states.values()];
  const signIn = all.find((state) => state.phase === "sign-in-needed");
  if (signIn !== undefined) return signIn.problem;
  const failed = all.filter((state) => !state.synced && (state.phase === "waiting" || state.phase === "forbidden"));
  if (failed.length < all.length) return null;
  // A busy server asks for patience; every other failure of every resource is final for one reading.
  const first = failed.find((state) => !state.problem.startsWith("the server is busy"));
  return first?.problem ?? null;
}

function tooSlow(context: KubeContext, cluster: LiveCluster, deadline: number): string {
  const open = [...cluster.states].filter(([, state]) => !state.synced).map(([id]) => id);
  const what = open.length === 0 ? "" : `; still missing: ${open.join(", ")}`;
  return `${describeContext(context)} was not read within ${deadline / 1000} s${what}`;
}
