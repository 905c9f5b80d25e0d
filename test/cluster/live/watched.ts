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
import { DEFAULT_LIMITS, type ReflectorLimits } from "../../../server/src/cluster/live/watch/reflector.ts";
import type { ClusterModel } from "../../../server/src/cluster/model.ts";
import { decodeNode } from "../../../server/src/kube/decode/node.ts";
import { decodePod } from "../../../server/src/kube/decode/pod.ts";
import { formatTaint } from "../../../server/src/kube/taint.ts";
import { type ApiClient, eventually, type Json } from "../api.ts";

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

/** What placement reads of a cluster, as lines: nodes with their taints, pods with node and phase. */
export function essence(model: Pick<ClusterModel, "nodes" | "pods">): readonly string[] {
  const nodes = [...model.nodes.values()].map(
    (node) => `node ${node.name} ${node.taints.map(formatTaint).sort().join(",")}`,
  );
  const pods = model.pods.map((pod) => `pod ${pod.namespace}/${pod.name} @${pod.spec.nodeName} ${pod.phase}`);
  return [...nodes, ...pods].sort();
}

/** The same of a fresh list. */
export async function freshEssence(api: ApiClient): Promise<readonly string[]> {
  const [nodes, pods] = await Promise.all([api.get("/api/v1/nodes"), api.get("/api/v1/pods")]);
  return essence({
    nodes: new Map(nodes.items.map((item: Json) => [item.metadata.name, decodeNode(item, null)])),
    pods: pods.items.map((item: Json) => decodePod(item)),
  });
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
