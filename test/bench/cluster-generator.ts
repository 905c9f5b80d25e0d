// Bench: clusters by seed, as the objects that `kubectl get -o json` would give. Pools with their own taints and labels,
// nodes that stray from their pool in some labels, DaemonSets with every operator. Equal options give equal objects.
import { ClusterBuilder } from "../../server/src/cluster/build/cluster-builder.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";

export interface GeneratedSize {
  readonly seed: number;
  readonly nodes: number;
  readonly daemonSets: number;
  readonly taintSets: number;
  readonly selectorKeys: number;
}

/** The size that docs/benchmarks.md speaks of. */
export const LARGE_CLUSTER: GeneratedSize = { seed: 1, nodes: 5000, daemonSets: 500, taintSets: 64, selectorKeys: 40 };

type Json = Readonly<Record<string, unknown>>;

export interface GeneratedCluster {
  readonly nodes: readonly Json[];
  readonly daemonSets: readonly Json[];
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  pick<T>(...choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error("nothing to pick from");
    return choice;
  }
}

/** Makes the objects of a cluster. */
export function generateCluster(size: GeneratedSize): GeneratedCluster {
  const dice = new Dice(size.seed);
  const pools = Array.from({ length: size.taintSets }, (_, index) => generatePool(dice, index, size));
  const nodes = Array.from({ length: size.nodes }, (_, index) => {
    const pool = pools[index % pools.length];
    if (pool === undefined) throw new Error("a cluster needs a taint set");
    return generateNode(dice, index, pool, size);
  });
  const daemonSets = Array.from({ length: size.daemonSets }, (_, index) => generateDaemonSet(dice, index, pools, size));
  return { nodes, daemonSets };
}

/** The model that a reader would build of the objects, every part known. */
export function modelOf(cluster: GeneratedCluster, name = "generated"): ClusterModel {
  const builder = new ClusterBuilder();
  for (const object of [...cluster.nodes, ...cluster.daemonSets]) builder.add(object, { path: name, offset: 0 });
  builder.markListed("v1", "PodList");
  return builder.finish(name, null).model;
}

interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

interface Pool {
  readonly name: string;
  readonly taints: readonly Taint[];
  readonly labels: Readonly<Record<string, string>>;
}

const EFFECTS = ["NoSchedule", "NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule"] as const;

/** Every third key holds numbers, for Gt and Lt. */
function selectorKey(index: number): string {
  return `example.com/${index % 3 === 0 ? "level" : "kind"}-${index}`;
}

function labelValue(dice: Dice, key: number): string {
  return key % 3 === 0 ? String(dice.below(12)) : dice.pick("a", "b", "c", "d", "e");
}

function generatePool(dice: Dice, index: number, size: GeneratedSize): Pool {
  const taints: Taint[] = [];
  // The first pool is open; the others differ at least in the name of the pool that they are dedicated to.
  if (index > 0) taints.push({ key: "dedicated", value: `pool-${index}`, effect: dice.pick(...EFFECTS.slice(0, 4)) });
  if (dice.chance(0.3))
    taints.push({ key: `example.com/owner-${dice.below(8)}`, value: "", effect: dice.pick(...EFFECTS) });
  if (dice.chance(0.2)) taints.push({ key: "sla", value: String(dice.below(1000)), effect: "NoSchedule" });
  const labels: Record<string, string> = { "example.com/pool": `pool-${index}` };
  for (let key = 0; key < size.selectorKeys; key++) {
    if (dice.chance(0.8)) labels[selectorKey(key)] = labelValue(dice, key);
  }
  return { name: `pool-${index}`, taints, labels };
}

function generateNode(dice: Dice, index: number, pool: Pool, size: GeneratedSize): Json {
  const name = `node-${String(index).padStart(5, "0")}`;
  const labels: Record<string, string> = {
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    "topology.kubernetes.io/zone": dice.pick("a", "b", "c"),
    ...pool.labels,
  };
  if (dice.chance(0.1)) {
    const key = dice.below(size.selectorKeys);
    labels[selectorKey(key)] = labelValue(dice, key);
  }
  const cordoned = dice.chance(0.01);
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  const resources = { cpu: "32", memory: "131072Ki", pods: "110", "rdma/hca": String(dice.below(3)) };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, uid: `uid-${name}`, labels },
    spec: {
      taints: cordoned ? [...pool.taints, cordon] : pool.taints,
      ...(cordoned ? { unschedulable: true } : {}),
    },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [{ type: "Ready", status: "True", reason: "KubeletReady" }],
    },
  };
}

function generateDaemonSet(dice: Dice, index: number, pools: readonly Pool[], size: GeneratedSize): Json {
  const name = `agent-${index}`;
  const spec = {
    containers: [
      { name: "agent", image: `registry.example.com/agent-${index}:1`, resources: { requests: { cpu: "100m" } } },
    ],
    tolerations: generateTolerations(dice, pools),
    ...generateSelection(dice, index, size),
  };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: "platform", uid: `uid-${name}` },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec },
    },
  };
}

function generateTolerations(dice: Dice, pools: readonly Pool[]): readonly Json[] {
  if (dice.chance(0.15)) return [{ operator: "Exists" }];
  const tolerations: Json[] = [];
  for (let count = dice.below(8); count > 0; count--) {
    const taint = dice.pick(...dice.pick(...pools).taints, { key: "dedicated", value: "nobody", effect: "NoSchedule" });
    const effect = dice.chance(0.2) ? {} : { effect: taint.effect };
    if (dice.chance(0.5)) tolerations.push({ key: taint.key, operator: "Exists", ...effect });
    else tolerations.push({ key: taint.key, operator: "Equal", value: taint.value, ...effect });
  }
  if (dice.chance(0.3)) {
    tolerations.push({
      key: "sla",
      operator: dice.pick("Gt", "Lt"),
      value: String(dice.below(1000)),
      effect: "NoSchedule",
    });
  }
  return tolerations;
}

/** One in ten DaemonSets names nodes, by the hostname label or by matchFields. */
function generateSelection(dice: Dice, index: number, size: GeneratedSize): Json {
  if (index % 10 === 0) return { affinity: requiredAffinity([namingTerm(dice, size)]) };
  const selector: Record<string, string> = {};
  for (let count = dice.below(3); count > 0; count--) {
    const key = dice.below(size.selectorKeys);
    selector[selectorKey(key)] = labelValue(dice, key);
  }
  const terms = Array.from({ length: dice.below(3) }, () => ({
    matchExpressions: Array.from({ length: 1 + dice.below(2) }, () => generateExpression(dice, size)),
  }));
  return { nodeSelector: selector, ...(terms.length > 0 ? { affinity: requiredAffinity(terms) } : {}) };
}

function requiredAffinity(nodeSelectorTerms: readonly Json[]): Json {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

function namingTerm(dice: Dice, size: GeneratedSize): Json {
  const name = (): string => `node-${String(dice.below(size.nodes)).padStart(5, "0")}`;
  if (dice.chance(0.5)) {
    return { matchFields: [{ key: "metadata.name", operator: dice.pick("In", "NotIn"), values: [name()] }] };
  }
  const values = Array.from({ length: 1 + dice.below(5) }, name);
  return { matchExpressions: [{ key: "kubernetes.io/hostname", operator: dice.pick("In", "NotIn"), values }] };
}

function generateExpression(dice: Dice, size: GeneratedSize): Json {
  const index = dice.below(size.selectorKeys);
  const key = selectorKey(index);
  if (index % 3 === 0 && dice.chance(0.5)) {
    return { key, operator: dice.pick("Gt", "Lt"), values: [String(dice.below(12))] };
  }
  const operator = dice.pick("In", "NotIn", "Exists", "DoesNotExist");
  const values = Array.from({ length: 1 + dice.below(2) }, () => labelValue(dice, index));
  return operator === "In" || operator === "NotIn" ? { key, operator, values } : { key, operator };
}
