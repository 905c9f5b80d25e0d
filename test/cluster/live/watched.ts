// A context of the test's control plane, followed by the product, and the comparison with what the server has now.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveCluster } from "../../../server/src/cluster/live/live-cluster.ts";
import {
  defaultLiveSettings,
  findContext,
  openContext,
  readContexts,
} from "../../../server/src/cluster/live/open-context.ts";
import { DEFAULT_LIMITS, type ReflectorLimits } from "../../../server/src/cluster/live/watch/limits.ts";
import type { ClusterModel } from "../../../server/src/cluster/model.ts";
import { type ApiClient, eventually } from "../api.ts";
import { essence, freshEssence } from "./essence.ts";

export interface Watched {
  readonly cluster: LiveCluster;
  /** Every model that was given out. */
  readonly models: readonly ClusterModel[];
  until(what: string, wanted: (model: ClusterModel) => boolean, timeout?: number): Promise<ClusterModel>;
  stop(): Promise<void>;
}

/** Opens the only context of a kubeconfig text. */
export async function watch(kubeconfig: string, limits: Partial<ReflectorLimits> = {}): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-watched-"));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, kubeconfig);
  const settings = { ...defaultLiveSettings(process.env, () => undefined), kubeconfig: path };
  const context = findContext(await readContexts(settings), "");
  const models: ClusterModel[] = [];
  const cluster = await openContext(context, settings, {
    onModel: (model) => models.push(model),
    onState: () => undefined,
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  return {
    cluster,
    models,
    until: (what, wanted, timeout = 30_000) =>
      eventually(what, () => (wanted(cluster.model) ? cluster.model : undefined), timeout).catch((error: unknown) => {
        const states = [...cluster.states].map(([id, state]) => `${id}: ${state.phase} ${state.problem}`).join("\n");
        throw new Error(`${error instanceof Error ? error.message : error}\n${states}`);
      }),
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the watched model equals a fresh list and is live. */
export async function untilEqual(watched: Watched, api: ApiClient, timeout = 60_000): Promise<void> {
  let seen = "";
  await eventually(
    "the model equals a fresh list",
    async () => {
      const fresh = await freshEssence(api);
      const held = essence(watched.cluster.model);
      seen = `${watched.cluster.model.origin}; held: ${held.join("; ")}; fresh: ${fresh.join("; ")}`;
      return JSON.stringify(fresh) === JSON.stringify(held) && watched.cluster.model.origin === "live"
        ? true
        : undefined;
    },
    timeout,
  ).catch((error: unknown) => {
    const states = [...watched.cluster.states].map(([id, state]) => `${id}: ${JSON.stringify(state)}`);
    throw new Error(`${error instanceof Error ? error.message : error}\n${seen}\n${states.join("\n")}`);
  });
}
