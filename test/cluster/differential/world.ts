// A random small cluster inside the big one: its nodes carry `world: N`, its workloads select that. Everything that
// placement reads varies: taints, cordons, labels, tolerations, selectors, affinities, host network, resources.
import type { Json } from "../api.ts";
import { Random } from "./random.ts";

export interface World {
  readonly name: string;
  readonly nodes: readonly Json[];
  readonly daemonSets: readonly Json[];
  /** Deployments of one replica, and Jobs. */
  readonly others: readonly Json[];
  /** A taint for some nodes, applied after the workloads run. */
  readonly change: { readonly nodes: readonly string[]; readonly taint: Json };
}

const KEYS = ["dedicated", "team", "nvidia.com/gpu"];
const VALUES = ["", "a", "b"];
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function makeWorld(number: number, seed: number): World {
  const random = new Random(seed * 100_003 + number);
  const name = `w${number}`;
  const nodes = Array.from({ length: 4 + random.below(4) }, (_, index) => node(random, name, index));
  const daemonSets = Array.from({ length: 4 }, (_, index) => daemonSet(random, name, index));
  const others = Array.from({ length: 2 }, (_, index) => (random.chance(0.5) ? deployment : job)(random, name, index));
  const changed = random.some(nodes, 3).map((each) => each.metadata.name);
  return {
    name,
    nodes,
    daemonSets,
    others,
    change: { nodes: changed.length > 0 ? changed : [nodes[0].metadata.name], taint: taint(random) },
  };
}

function taint(random: Random): Json {
  const value = random.pick(VALUES);
  return { key: random.pick(KEYS), ...(value === "" ? {} : { value }), effect: random.pick(EFFECTS) };
}

function taints(random: Random): Json[] {
  const found = new Map<string, Json>();
  for (let count = random.below(3); count > 0; count -= 1) {
    const each = taint(random);
    found.set(`${each.key}:${each.effect}`, each);
  }
  return [...found.values()];
}

function node(random: Random, world: string, index: number): Json {
  const name = `${world}-n${index}`;
  const labels: Record<string, string> = { world, "kubernetes.io/hostname": name };
  if (random.chance(0.7)) labels.pool = random.pick(["a", "b"]);
  if (random.chance(0.5)) labels.generation = String(random.below(5));
  const amounts = { cpu: random.pick(["2", "8"]), memory: random.pick(["4Gi", "16Gi"]), pods: "110" };
  const resources = random.chance(0.5) ? { ...amounts, "example.com/device": String(random.below(3)) } : amounts;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels, annotations: { "kwok.x-k8s.io/node": "fake" } },
    spec: { taints: taints(random), ...(random.chance(0.15) ? { unschedulable: true } : {}) },
    status: { capacity: resources, allocatable: resources },
  };
}

function toleration(random: Random): Json {
  const effect = random.pick(["", ...EFFECTS]);
  const seconds = effect === "NoExecute" && random.chance(0.4) ? { tolerationSeconds: random.pick([0, 3, 3600]) } : {};
  const shared = { ...(effect === "" ? {} : { effect }), ...seconds };
  if (random.chance(0.1)) return { operator: "Exists", ...shared };
  if (random.chance(0.1)) return { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" };
  if (random.chance(0.4)) return { key: random.pick(KEYS), operator: "Exists", ...shared };
  const operator = random.chance(0.5) ? { operator: "Equal" } : {};
  return { key: random.pick(KEYS), ...operator, value: random.pick(VALUES), ...shared };
}

function requirement(random: Random): Json {
  const kind = random.below(6);
  if (kind === 0) return { key: "pool", operator: "In", values: random.some(["a", "b", "c"], 3).concat("a") };
  if (kind === 1) return { key: "pool", operator: "NotIn", values: ["b"] };
  if (kind === 2) return { key: random.pick(["pool", "generation"]), operator: "Exists" };
  if (kind === 3) return { key: random.pick(["pool", "generation"]), operator: "DoesNotExist" };
  return { key: "generation", operator: kind === 4 ? "Gt" : "Lt", values: [String(random.below(5))] };
}

function affinity(random: Random, world: string): Json {
  const terms = Array.from({ length: 1 + random.below(2) }, () => ({
    matchExpressions: [requirement(random), ...(random.chance(0.3) ? [requirement(random)] : [])],
    ...(random.chance(0.2)
      ? { matchFields: [{ key: "metadata.name", operator: random.pick(["In", "NotIn"]), values: [`${world}-n0`] }] }
      : {}),
  }));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
}

function podTemplate(random: Random, world: string, app: string): Json {
  const requests = random.chance(0.4)
    ? { cpu: random.pick(["100m", "3"]), ...(random.chance(0.4) ? { memory: random.pick(["1Gi", "8Gi"]) } : {}) }
    : {};
  const device = random.chance(0.2) ? { limits: { "example.com/device": "1" } } : {};
  return {
    metadata: { labels: { app, world } },
    spec: {
      nodeSelector: { world, ...(random.chance(0.2) ? { pool: "a" } : {}) },
      ...(random.chance(0.4) ? { affinity: affinity(random, world) } : {}),
      tolerations: Array.from({ length: random.below(4) }, () => toleration(random)),
      ...(random.chance(0.3) ? { hostNetwork: true } : {}),
      containers: [{ name: "c", image: "registry.example/app:1", resources: { requests, ...device } }],
      terminationGracePeriodSeconds: 0,
    },
  };
}

function daemonSet(random: Random, world: string, index: number): Json {
  const name = `${world}-ds${index}`;
  const template = podTemplate(random, world, name);
  // A DaemonSet pod that does not fit stays Pending; here only its placement matters.
  template.spec.containers[0].resources = {};
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: "default", labels: { world } },
    spec: { selector: { matchLabels: { app: name } }, template },
  };
}

function deployment(random: Random, world: string, index: number): Json {
  const name = `${world}-dep${index}`;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default", labels: { world } },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: podTemplate(random, world, name) },
  };
}

function job(random: Random, world: string, index: number): Json {
  const name = `${world}-job${index}`;
  const template = podTemplate(random, world, name);
  template.spec.restartPolicy = "Never";
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace: "default", labels: { world } },
    spec: { template, backoffLimit: 0 },
  };
}
