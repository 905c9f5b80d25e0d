// What happens to the cluster during a soak: nodes come, are tainted and go, workloads are rolled out, scaled and
// deleted, pods come and go. `reset` brings back the cluster that every measurement is taken on.
import type { ApiClient, Json } from "../api.ts";
import { ApiError } from "../api.ts";

const NODES = "/api/v1/nodes";
const PODS = "/api/v1/namespaces/default/pods";
const DAEMON_SETS = "/apis/apps/v1/namespaces/default/daemonsets";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const EVENTS = "/api/v1/namespaces/default/events";
const FIRST_NODES = 30;
const MOST_NODES = 50;
const MOST_LOOSE_PODS = 40;
/** Milliseconds that the controllers may take to come to rest on a busy machine. */
const PATIENCE = 300_000;

/** A DaemonSet that tolerates nothing: the taints of the churn open and close its gaps. */
export const MANIFEST = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      hostNetwork: true
      containers: [{name: node-exporter, image: registry.example/node-exporter:1}]
`;

const container = { name: "c", image: "registry.example/app:1" };

export class Churn {
  readonly #api: ApiClient;
  readonly #random: () => number;
  #serial = 0;
  #steps = 0;

  /** `random` yields numbers in [0, 1). */
  constructor(api: ApiClient, random: () => number) {
    this.#api = api;
    this.#random = random;
  }

  /** How many steps were done. */
  get steps(): number {
    return this.#steps;
  }

  /** Creates what the measurements are taken on. */
  async begin(): Promise<void> {
    for (let index = 0; index < FIRST_NODES; index += 1) await this.#createNode(`node-${index}`);
    for (const name of ["agent", "collector"]) await this.#api.create(DAEMON_SETS, daemonSet(name));
    for (const name of ["web", "worker"]) await this.#api.create(DEPLOYMENTS, deployment(name, 20));
  }

  /** One random change. What is gone meanwhile, or was changed by a controller, is no failure. */
  async step(): Promise<void> {
    this.#steps += 1;
    const steps = [
      () => this.#nodeComesOrGoes(),
      () => this.#taint(),
      () => this.#taint(),
      () => this.#cordon(),
      () => this.#rollOut(DAEMON_SETS, ["agent", "collector"]),
      () => this.#rollOut(DEPLOYMENTS, ["web", "worker"]),
      () => this.#scale(),
      () => this.#loosePod(),
      () => this.#loosePod(),
      () => this.#deleteOnePod(),
      () => this.#daemonSetComesOrGoes(),
    ];
    await (steps[Math.floor(this.#random() * steps.length)] ?? steps[0])?.().catch(ifMoved);
  }

  /** Back to the first nodes, untainted, to the first workloads, and to no events. */
  async reset(): Promise<void> {
    for (const { metadata, spec } of (await this.#api.get(NODES)).items) {
      if (metadata.name.startsWith("extra-")) await this.#deleteNode(metadata.name);
      else if (spec.unschedulable === true || (spec.taints ?? []).some(isOurs)) {
        await this.#api.merge(`${NODES}/${metadata.name}`, { spec: { taints: null, unschedulable: null } });
      }
    }
    for (const { metadata } of (await this.#api.get(DAEMON_SETS)).items) {
      if (metadata.name.startsWith("extra-")) await this.#api.delete(`${DAEMON_SETS}/${metadata.name}`).catch(ifMoved);
    }
    for (const name of ["web", "worker"]) {
      await this.#api.merge(`${DEPLOYMENTS}/${name}`, { spec: { replicas: 20 } });
    }
    for (const { metadata } of (await this.#loosePods()).values()) await this.#deletePod(metadata.name);
    await this.#settled();
    for (const { metadata } of (await this.#api.get("/apis/apps/v1/namespaces/default/replicasets")).items) {
      const path = `/apis/apps/v1/namespaces/default/replicasets/${metadata.name}`;
      const replicaSet = await this.#api.get(path).catch(ifMoved);
      if (replicaSet?.spec.replicas === 0) await this.#api.delete(path).catch(ifMoved);
    }
    for (const path of [EVENTS, "/api/v1/namespaces/kube-system/events"]) await this.#api.delete(path).catch(ifMoved);
  }

  /** Waits until the workloads have the pods that they want, and no more. */
  async #settled(): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const { items } = await this.#api.get(PODS);
      const running = items.filter((pod: Json) => pod.status.phase === "Running").length;
      if (items.length === running && running === 2 * FIRST_NODES + 2 * 20) return;
      if (Date.now() > deadline) throw new Error(`no rest in time: ${pods(items)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async #nodeComesOrGoes(): Promise<void> {
    const { items } = await this.#api.get(NODES);
    const extra = items.filter((node: Json) => node.metadata.name.startsWith("extra-"));
    if (extra.length === 0 || (items.length < MOST_NODES && this.#random() < 0.5)) {
      this.#serial += 1;
      await this.#createNode(`extra-${this.#serial}`);
    } else await this.#deleteNode(this.#any<Json>(extra).metadata.name);
  }

  async #taint(): Promise<void> {
    const node = this.#any<Json>((await this.#api.get(NODES)).items);
    const others = (node.spec.taints ?? []).filter((taint: Json) => !isOurs(taint));
    const effect = this.#any(["NoSchedule", "NoExecute", "PreferNoSchedule"]);
    const taints = (node.spec.taints ?? []).some(isOurs) ? others : [...others, { key: "soak", value: "yes", effect }];
    await this.#api.merge(`${NODES}/${node.metadata.name}`, {
      metadata: { resourceVersion: node.metadata.resourceVersion },
      spec: { taints: taints.length === 0 ? null : taints },
    });
  }

  async #cordon(): Promise<void> {
    const node = this.#any<Json>((await this.#api.get(NODES)).items);
    await this.#api.merge(`${NODES}/${node.metadata.name}`, {
      spec: { unschedulable: node.spec.unschedulable === true ? null : true },
    });
  }

  async #rollOut(path: string, names: readonly string[]): Promise<void> {
    this.#serial += 1;
    await this.#api.merge(`${path}/${this.#any(names)}`, {
      spec: { template: { metadata: { annotations: { rollout: `${this.#serial}` } } } },
    });
  }

  async #scale(): Promise<void> {
    const replicas = Math.floor(this.#random() * 40);
    await this.#api.merge(`${DEPLOYMENTS}/${this.#any(["web", "worker"])}`, { spec: { replicas } });
  }

  async #loosePod(): Promise<void> {
    const loose = await this.#loosePods();
    if (loose.length > MOST_LOOSE_PODS || (loose.length > 0 && this.#random() < 0.4)) {
      await this.#deletePod(this.#any<Json>(loose).metadata.name);
      return;
    }
    this.#serial += 1;
    const metadata = { name: `loose-${this.#serial}`, labels: { loose: "yes" } };
    await this.#api.create(PODS, { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [container] } });
  }

  async #deleteOnePod(): Promise<void> {
    const { items } = await this.#api.get(PODS);
    if (items.length > 0) await this.#deletePod(this.#any<Json>(items).metadata.name);
  }

  async #daemonSetComesOrGoes(): Promise<void> {
    const { items } = await this.#api.get(DAEMON_SETS);
    const extra = items.filter((each: Json) => each.metadata.name.startsWith("extra-"));
    if (extra.length > 2) await this.#api.delete(`${DAEMON_SETS}/${this.#any<Json>(extra).metadata.name}`);
    else {
      this.#serial += 1;
      await this.#api.create(DAEMON_SETS, daemonSet(`extra-${this.#serial}`));
    }
  }

  #createNode(name: string): Promise<Json> {
    const labels = { "kubernetes.io/os": "linux", "kubernetes.io/hostname": name };
    const metadata = { name, labels, annotations: { "kwok.x-k8s.io/node": "fake" } };
    const amounts = { cpu: "64", memory: "256Gi", pods: "250" };
    const status = { capacity: amounts, allocatable: amounts };
    return this.#api.create(NODES, { apiVersion: "v1", kind: "Node", metadata, status });
  }

  /** Its pods go with it: the collector of orphans would take its time. */
  async #deleteNode(name: string): Promise<void> {
    await this.#api.delete(`${NODES}/${name}`).catch(ifMoved);
    const { items } = await this.#api.get(`${PODS}?fieldSelector=spec.nodeName%3D${name}`);
    for (const { metadata } of items) await this.#deletePod(metadata.name);
  }

  async #loosePods(): Promise<readonly Json[]> {
    return (await this.#api.get(`${PODS}?labelSelector=loose`)).items;
  }

  async #deletePod(name: string): Promise<void> {
    await this.#api.delete(`${PODS}/${name}?gracePeriodSeconds=0`).catch(ifMoved);
  }

  #any<T>(items: readonly T[]): T {
    const found = items[Math.floor(this.#random() * items.length)];
    if (found === undefined) throw new ApiError(404, "nothing to choose from");
    return found;
  }
}

/** Where the pods of each workload are, and which are not running, for a message. */
function pods(items: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const pod of items) {
    const key = `${pod.metadata.ownerReferences?.[0]?.name ?? "no owner"} ${pod.status.phase}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const late = items.filter((pod) => pod.status.phase !== "Running").slice(0, 10);
  const states = late.map(({ metadata, spec, status }) => {
    const deleted = metadata.deletionTimestamp === undefined ? "" : `, deleted ${metadata.deletionTimestamp}`;
    return `${metadata.name} on ${spec.nodeName ?? "no node"}${deleted}: ${JSON.stringify(status.conditions ?? [])}`;
  });
  return [...[...counts].map(([key, count]) => `${count} ${key}`), ...states].join("; ");
}

const isOurs = (taint: Json): boolean => taint.key === "soak";

/** Somebody else was faster: the object is gone, exists already or has changed. */
function ifMoved(error: unknown): null {
  if (error instanceof ApiError && [404, 409].includes(error.status)) return null;
  throw error;
}

function template(app: string): Json {
  return { metadata: { labels: { app } }, spec: { containers: [container] } };
}

function daemonSet(name: string): object {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      updateStrategy: { rollingUpdate: { maxUnavailable: "100%" } },
      template: template(name),
    },
  };
}

function deployment(name: string, replicas: number): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { replicas, revisionHistoryLimit: 1, selector: { matchLabels: { app: name } }, template: template(name) },
  };
}
