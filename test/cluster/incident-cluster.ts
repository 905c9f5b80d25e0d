// The RDMA incident on a real control plane, for suites that play it: two nodes of the pool, two others, the example's
// manifests, and each step of the story as a function. KWOK plays the kubelets; what a device manager or a CSI driver
// would change in a node's status the steps write.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, type Json } from "./api.ts";
import { buildPrograms } from "./build.ts";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./control-plane.ts";

/** The manifests of the example that need no volume controller. */
export const MANIFESTS = fileURLToPath(new URL("../../examples/rdma-incident/manifests", import.meta.url));

/** The nodes of the pool that the story taints. */
export const POOL = ["rdma-1", "rdma-2"] as const;
export const OTHERS = ["worker-1", "worker-2"] as const;
export const TAINT = "dedicated=rdma:NoSchedule";
export const DRIVER = "files.csi.example.com";
/** Platform DaemonSets that the taint keeps off the pool; the network plugin tolerates everything. */
export const LOSERS = [
  "files-csi-node",
  "local-storage-provisioner",
  "log-agent",
  "node-exporter",
  "rdma-device-plugin",
] as const;

const POOL_LABELS = {
  "node.kubernetes.io/instance-type": "rdma-8x400",
  "example.com/pool": "rdma",
  "example.com/local-disks": "true",
  "feature.node.kubernetes.io/rdma.capable": "true",
};

export interface IncidentCluster {
  readonly controlPlane: ControlPlane;
  /** The DaemonSet pods of a node that are not being deleted, by the name of their DaemonSet. */
  platformPods(node: string): Promise<readonly string[]>;
  /** Resolves when every node of the pool has so many platform pods that run. */
  untilPlatformPods(count: number): Promise<void>;
  /** Writes an event of a node, as its kubelet would; `kubelet` is the source. */
  tell(node: string, reason: string, message: string): Promise<void>;
  /** Taints the pool, as an administrator would. Nothing is evicted by it. */
  taintPool(): Promise<void>;
  /**
   * `kubectl rollout restart` of a DaemonSet. Resolves when its pods are gone from the pool, with the time at which the
   * server had deleted the first of them (milliseconds since 1970, at most 20 late).
   */
  rollOut(namespace: string, name: string): Promise<number>;
  /** What the kubelet's device manager writes once the plugin is gone (`0`) or back (`8`). */
  offerAdapters(node: string, hca: string): Promise<void>;
  /** What the kubelet writes when CSI drivers register, or are gone. */
  registerDrivers(node: string, drivers: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Builds what is missing, starts a control plane with KWOK, creates the nodes and the manifests, and resolves when
 * every platform pod of the pool runs. `more` is applied with the manifests.
 */
export async function startIncidentCluster(
  options: ControlPlaneOptions = {},
  more: readonly string[] = [],
): Promise<IncidentCluster> {
  await buildPrograms((line) => console.log(line));
  const controlPlane = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true, ...options });
  const cluster = stepsOn(controlPlane);
  try {
    for (const node of [...POOL, ...OTHERS]) {
      await createNode(controlPlane, node);
      await cluster.registerDrivers(node, [DRIVER]);
    }
    await controlPlane.kubectl(["apply", "--server-side", "-f", "-"], [manifests(), ...more].join("\n---\n"));
    await untilRolledOut(controlPlane);
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
  return cluster;
}

/** Every DaemonSet has the pods it wants, ready. */
async function untilRolledOut({ api }: ControlPlane): Promise<void> {
  const behind = async (): Promise<readonly string[]> => {
    const { items } = await api.get("/apis/apps/v1/daemonsets");
    return items
      .filter(({ metadata, status }: Json) => status.observedGeneration !== metadata.generation || !isComplete(status))
      .map(({ metadata }: Json) => metadata.name);
  };
  await eventually("every DaemonSet is rolled out", async () => (await behind()).length === 0 || undefined, 90_000);
}

const isComplete = ({ desiredNumberScheduled, numberReady }: Json): boolean =>
  desiredNumberScheduled > 0 && numberReady === desiredNumberScheduled;

/** Every manifest in one text, namespaces first. */
function manifests(): string {
  return readdirSync(MANIFESTS)
    .filter((file) => !["dataset-loader.yaml", "training.yaml"].includes(file))
    .sort((left, right) => Number(right === "namespaces.yaml") - Number(left === "namespaces.yaml"))
    .map((file) => readFileSync(join(MANIFESTS, file), "utf8"))
    .join("\n---\n");
}

/** The status of a node with so many adapters; null for a node that has none. */
function amounts(hca: string | null): Json {
  const all = { cpu: "32", memory: "64Gi", pods: "110", ...(hca === null ? {} : { "rdma/hca": hca }) };
  return { capacity: { ...all, ...(hca === null ? {} : { "rdma/hca": "8" }) }, allocatable: all };
}

/** Milliseconds. Nodes that have just come are given time by every rule; an incident happens to nodes that are old. */
const NODE_AGE = 30 * 24 * 60 * 60_000;

/**
 * Writes the node into etcd, since the API server would give it the present as its time of creation. KWOK takes the same
 * time for its conditions.
 */
async function createNode({ etcd }: ControlPlane, name: string): Promise<void> {
  const inPool = POOL.some((node) => node === name);
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      uid: randomUUID(),
      creationTimestamp: new Date(Date.now() - NODE_AGE).toISOString().replace(/\.\d+/, ""),
      annotations: { "kwok.x-k8s.io/node": "fake" },
      labels: {
        "kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        ...(inPool ? POOL_LABELS : { "example.com/pool": "general" }),
      },
    },
    spec: {},
    status: amounts(inPool ? "8" : null),
  };
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const body = JSON.stringify({ key: base64(`/registry/minions/${name}`), value: base64(JSON.stringify(node)) });
  const answer = await fetch(`${etcd}/v3/kv/put`, { method: "POST", body });
  if (!answer.ok) throw new Error(`etcd: ${answer.status} ${await answer.text()}`);
}

function stepsOn(controlPlane: ControlPlane): IncidentCluster {
  const { api, kubectl } = controlPlane;
  const podsOn = async (node: string): Promise<readonly Json[]> => {
    const { items } = await api.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
    return items.filter(({ metadata }: Json) => metadata.ownerReferences?.[0]?.kind === "DaemonSet");
  };
  const nameOf = ({ metadata }: Json): string => metadata.ownerReferences[0].name;
  return {
    controlPlane,
    platformPods: async (node) =>
      (await podsOn(node)).filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(nameOf),
    untilPlatformPods: async (count) => {
      for (const node of POOL) {
        const running = async () => (await podsOn(node)).filter(({ status }) => status.phase === "Running").length;
        await eventually(
          `${count} platform pods on ${node}`,
          async () => (await running()) === count || undefined,
          90_000,
        );
      }
    },
    tell: async (node, reason, message) => {
      const time = new Date().toISOString().replace(/\.\d+/, "");
      await api.create("/api/v1/namespaces/default/events", {
        apiVersion: "v1",
        kind: "Event",
        metadata: { generateName: `${node}.`, namespace: "default" },
        involvedObject: { kind: "Node", name: node, uid: node },
        ...{ reason, message, type: "Normal", count: 1, firstTimestamp: time, lastTimestamp: time },
        source: { component: "kubelet", host: node },
      });
    },
    taintPool: async () => void (await kubectl(["taint", "node", ...POOL, TAINT])),
    rollOut: async (namespace, name) => {
      const left = async (): Promise<number> => {
        const pods = await Promise.all(POOL.map(podsOn));
        return pods.flat().filter((pod) => nameOf(pod) === name && !pod.metadata.deletionTimestamp).length;
      };
      const before = await left();
      let first = Number.NaN;
      const watching = (async () => {
        for (const end = Date.now() + 120_000; Date.now() < end; ) {
          const now = await left();
          if (now < before && Number.isNaN(first)) first = Date.now();
          if (now === 0) return;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        throw new Error(`the rollout of ${name} did not take its pods`);
      })();
      await Promise.all([kubectl(["rollout", "restart", "daemonset", name, "-n", namespace]), watching]);
      return first;
    },
    offerAdapters: async (node, hca) => {
      const patch = JSON.stringify({ status: amounts(hca) });
      await kubectl(["patch", "node", node, "--subresource=status", "--type=merge", "-p", patch]);
    },
    registerDrivers: async (node, drivers) => {
      const csiNode = {
        apiVersion: "storage.k8s.io/v1",
        kind: "CSINode",
        metadata: { name: node },
        spec: { drivers: drivers.map((driver) => ({ name: driver, nodeID: node })) },
      };
      await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], JSON.stringify(csiNode));
    },
    stop: () => controlPlane.stop(),
  };
}
