// Bench, the feed: nodes and pods of a seeded cluster as protobuf. About as large and as alike as in reality: pods of a
// few hundred templates, kilobytes of managed fields, another token volume in each.
import { seededRandom } from "../../../bench/cluster-generator.ts";
import { entry, message, quantity, time } from "./protobuf.ts";
import { hole, Template } from "./template.ts";

export interface FeedSize {
  readonly seed: number;
  readonly nodes: number;
  readonly podsPerNode: number;
}

/** The numbers that go into an object, in the order of its holes. */
const NODE = 0;
const POD = 1;
const VERSION = 2;

const POOLS = ["general", "gpu", "storage", "edge"];
const ZONES = ["north-a", "north-b", "north-c"];
const STARTED = 1_772_000_000;
/** Bytes of managed fields, which nobody reads. */
const MANAGED_FIELDS = 2_400;

/** A node's templates, plain and with one taint more. */
export interface NodeTemplates {
  readonly usual: Template;
  readonly tainted: Template;
}

/** A pod's templates: running, and not ready after one more restart. */
export interface PodTemplates {
  readonly usual: Template;
  readonly restarted: Template;
}

const nodeName = `node-${hole(NODE)}`;

/** The kinds of nodes; node `index` is of kind `index % length`. */
export function nodeTemplates(seed: number): readonly NodeTemplates[] {
  const random = seededRandom(seed);
  return Array.from({ length: 24 }, (_, kind) => {
    const pool = POOLS[Math.floor(random() * POOLS.length)] ?? "";
    const zone = ZONES[kind % ZONES.length] ?? "";
    const taints = pool === "general" ? [] : [taint("dedicated", pool)];
    return {
      usual: new Template(nodeBytes(pool, zone, taints)),
      tainted: new Template(nodeBytes(pool, zone, [...taints, taint("maintenance", "now")])),
    };
  });
}

/** One kind of pod for each place on a node. */
export function podTemplates({ seed, podsPerNode }: FeedSize): readonly PodTemplates[] {
  const random = seededRandom(seed + 1);
  return Array.from({ length: podsPerNode }, (_, kind) => {
    const facts: PodFacts = {
      owner: `agent-${String(kind).padStart(3, "0")}`,
      cpu: `${50 + Math.floor(random() * 20) * 10}m`,
      tolerations: Math.floor(random() * 4),
      arguments: 2 + Math.floor(random() * 8),
    };
    return {
      usual: new Template(podBytes(facts, 0)),
      restarted: new Template(podBytes(facts, 1)),
    };
  });
}

interface Names {
  readonly name: string;
  readonly namespace: string;
  /** Its place among its kind: what makes its uid its own. */
  readonly number: string;
}

function metadata({ name, namespace, number }: Names, labels: readonly Buffer[], owner: Buffer | null): Buffer {
  return message(
    [1, name],
    [2, ""],
    [3, namespace],
    [4, ""],
    [5, `00000000-0000-4000-8000-00000${number}`],
    [6, hole(VERSION)],
    [7, 0],
    [8, time(STARTED)],
    ...labels.map((label): [number, Buffer] => [11, label]),
    [12, entry("example.com/checksum", "0123456789abcdef".repeat(4))],
    ...(owner === null ? [] : [[13, owner] as const]),
    [17, message([1, "kubelet"], [2, "Update"], [7, message([1, "f:metadata ".repeat(MANAGED_FIELDS / 11)])])],
  );
}

function taint(key: string, value: string): Buffer {
  return message([1, key], [2, value], [3, "NoSchedule"]);
}

function nodeBytes(pool: string, zone: string, taints: readonly Buffer[]): Buffer {
  const labels = [
    entry("kubernetes.io/hostname", nodeName),
    entry("kubernetes.io/os", "linux"),
    entry("kubernetes.io/arch", "amd64"),
    entry("topology.kubernetes.io/zone", zone),
    entry("example.com/pool", pool),
  ];
  const resources = [entry("cpu", quantity("16")), entry("memory", quantity("64Gi")), entry("pods", quantity("110"))];
  const condition = (type: string): Buffer =>
    message(
      [1, type],
      [2, type === "Ready" ? "True" : "False"],
      [3, time(STARTED)],
      [4, time(STARTED)],
      [5, "KubeletIsFine"],
      [6, "as it should be"],
    );
  const info = ["machine", "system", "boot", "6.12.0", "Linux", "containerd://2.1.0", "v1.37.2", "", "linux", "amd64"];
  return message(
    [1, metadata({ name: nodeName, namespace: "", number: hole(NODE) }, labels, null)],
    [2, message([3, `cloud:///${zone}/${nodeName}`], ...taints.map((each): [number, Buffer] => [5, each]))],
    [
      3,
      message(
        ...resources.map((each): [number, Buffer] => [1, each]),
        ...resources.map((each): [number, Buffer] => [2, each]),
        ...["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type): [number, Buffer] => [
          4,
          condition(type),
        ]),
        [7, message(...info.map((text, index): [number, string] => [index + 1, text]))],
        ...Array.from({ length: 30 }, (_, image): [number, Buffer] => [
          8,
          message([1, `registry.example.com/team/image-${image}:1.2.3`], [2, 100_000_000 + image]),
        ]),
      ),
    ],
  );
}

interface PodFacts {
  readonly owner: string;
  readonly cpu: string;
  readonly tolerations: number;
  readonly arguments: number;
}

/** Its five random characters are the last digits of the pod's number. */
const TOKEN_VOLUME = `kube-api-access-${hole(POD, 5)}`;

function podBytes(facts: PodFacts, restarts: number): Buffer {
  const { owner } = facts;
  const ownerReference = message([1, "DaemonSet"], [3, owner], [4, `uid-${owner}`], [5, "apps/v1"], [6, 1], [7, 1]);
  const labels = [
    entry("app", owner),
    entry("controller-revision-hash", "7c9d5f"),
    entry("pod-template-generation", "3"),
  ];
  return message(
    [1, metadata({ name: `${owner}-${hole(NODE)}`, namespace: "platform", number: hole(POD) }, labels, ownerReference)],
    [2, specBytes(facts)],
    [3, statusBytes(facts, restarts)],
  );
}

function specBytes(facts: PodFacts): Buffer {
  const requirement = message([1, "metadata.name"], [2, "In"], [3, nodeName]);
  const affinity = message([1, message([1, message([1, message([2, requirement])])])]);
  const standard = ["not-ready", "unreachable", "disk-pressure", "memory-pressure", "unschedulable"];
  return message(
    [1, message([1, "host"], [2, message([1, message([1, "/var/lib/agent"], [2, ""])])])],
    [1, message([1, TOKEN_VOLUME], [2, message([26, message([2, 420])])])],
    [2, containerBytes(facts)],
    [3, "Always"],
    [6, "ClusterFirst"],
    [8, "agent"],
    [10, nodeName],
    [11, 0],
    [18, affinity],
    [19, "default-scheduler"],
    ...standard.map((key, index): [number, Buffer] => [
      22,
      message([1, `node.kubernetes.io/${key}`], [2, "Exists"], [3, ""], [4, index < 2 ? "NoExecute" : "NoSchedule"]),
    ]),
    ...POOLS.slice(0, facts.tolerations).map((pool): [number, Buffer] => [
      22,
      message([1, "dedicated"], [2, "Equal"], [3, pool], [4, "NoSchedule"]),
    ]),
    [25, 0],
  );
}

function containerBytes({ owner, cpu, arguments: count }: PodFacts): Buffer {
  const requests = [entry("cpu", quantity(cpu)), entry("memory", quantity("128Mi"))];
  return message(
    [1, "agent"],
    [2, `registry.example.com/team/${owner}:1.2.3`],
    ...Array.from({ length: count }, (_, index): [number, string] => [4, `--setting-${index}=value-${index}`]),
    ...Array.from({ length: 6 }, (_, index): [number, Buffer] => [
      7,
      message([1, `SETTING_${index}`], [2, `value-${index}`]),
    ]),
    [8, message([1, entry("memory", quantity("256Mi"))], ...requests.map((each): [number, Buffer] => [2, each]))],
    [9, message([1, "host"], [3, "/host"])],
    [9, message([1, TOKEN_VOLUME], [2, 1], [3, "/var/run/secrets/kubernetes.io/serviceaccount"])],
  );
}

function statusBytes({ owner }: PodFacts, restarts: number): Buffer {
  const ready = restarts === 0 ? "True" : "False";
  const condition = (type: string): Buffer =>
    message(
      [1, type],
      [2, type.endsWith("Ready") ? ready : "True"],
      [3, message()],
      [4, time(STARTED)],
      [5, ""],
      [6, ""],
    );
  const types = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  const digest = "0123456789abcdef".repeat(4);
  const container = message(
    [1, "agent"],
    [2, message([2, message([1, time(STARTED + 2)])])],
    [3, message()],
    [4, restarts === 0 ? 1 : 0],
    [5, restarts],
    [6, `registry.example.com/team/${owner}:1.2.3`],
    [7, `registry.example.com/team/${owner}@sha256:${digest}`],
    [8, `containerd://${digest}`],
  );
  return message(
    [1, "Running"],
    ...types.map((type): [number, Buffer] => [2, condition(type)]),
    [3, ""],
    [4, ""],
    [5, "10.1.2.3"],
    [6, "10.4.5.6"],
    [7, time(STARTED)],
    [8, container],
    [9, "Burstable"],
  );
}
