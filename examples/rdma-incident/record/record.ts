// Plays the incident on a real control plane and writes what kubectl sees before
// and after it: `npm run example:record`. README.md tells the story and says
// which parts are real.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../../test/cluster/api.ts";
import { buildPrograms } from "../../../test/cluster/build.ts";
import { startControlPlane } from "../../../test/cluster/control-plane.ts";
import { dump } from "./dump.ts";
import { kubelets } from "./kubelet.ts";
import { machines, registration } from "./nodes.ts";
import { storyClock } from "./story-clock.ts";

const example = fileURLToPath(new URL("..", import.meta.url));
/** The workloads of the pool's users; the rest of the manifests is the platform. */
const users = ["dataset-loader.yaml", "training.yaml"];
const platform = readdirSync(join(example, "manifests"))
  .filter((file) => !users.includes(file))
  .toSorted(namespacesFirst);
const read = (files: readonly string[]) =>
  files.map((file) => readFileSync(join(example, "manifests", file), "utf8")).join("---\n");

/** The manifests as they were before the rollout: the last number of each image's tag one lower. */
const before = (text: string) =>
  text.replace(/(image: .*\.)(\d+)$/gm, (_, head: string, patch: string) => head + (Number(patch) - 1));

const say = (line: string) => console.log(line);
await buildPrograms(say);
const cluster = await startControlPlane({
  controllerManager: true,
  scheduler: true,
  flags: {
    "kube-controller-manager": ["--controllers", "persistentvolume-binder-controller"],
    // The scheduler looks at pods that fit nowhere every five minutes; the recording is shorter.
    "kube-scheduler": ["--pod-max-in-unschedulable-pods-duration", "5s"],
  },
});
const { api } = cluster;
const clock = storyClock();
const fleet = kubelets(api);

const apply = (text: string) =>
  cluster.kubectl(["apply", "--server-side", "--field-manager", "platform", "-f", "-"], text);
const taint = (node: string) => cluster.kubectl(["taint", "node", node, "dedicated=rdma:NoSchedule"]);
const list = async (path: string): Promise<readonly Json[]> => (await api.get(path)).items;

/** Lets kubelets and controllers work until `done`, and a little longer, so that status is settled too. */
async function until(what: string, done: () => Promise<boolean>): Promise<void> {
  say(`  waiting: ${what}`);
  const deadline = Date.now() + 90_000;
  for (let settled = 0; settled < 8; settled = (await done()) ? settled + 1 : 0) {
    if (Date.now() > deadline) throw new Error(`${what}: not within 90 s`);
    await fleet.sync();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function daemonSetsSettled(): Promise<boolean> {
  return (await list("/apis/apps/v1/daemonsets")).every(({ metadata, status }) => {
    const wanted = status.desiredNumberScheduled;
    return (
      status.observedGeneration === metadata.generation &&
      wanted > 0 &&
      status.numberReady >= wanted &&
      status.updatedNumberScheduled === wanted
    );
  });
}

async function claimsBound(): Promise<boolean> {
  return (await list("/api/v1/persistentvolumeclaims")).every(({ status }) => status.phase === "Bound");
}

async function podsOf(app: string, phase: string): Promise<readonly Json[]> {
  return (await list("/api/v1/pods")).filter(
    ({ metadata, status }) => metadata.labels?.["app.kubernetes.io/name"] === app && status.phase === phase,
  );
}

async function portalRuns(): Promise<boolean> {
  return (await podsOf("portal", "Running")).length === 2;
}

async function write(file: string): Promise<void> {
  const text = await dump(cluster, clock);
  writeFileSync(join(example, file), text);
  say(`  ${file}: ${Math.round(text.length / 1024)} KiB`);
}

try {
  await clock.enter("2026-03-02T08:00:00Z");
  say("The cluster is made: everything runs everywhere");
  for (const [index, machine] of machines.entries()) await api.create("/api/v1/nodes", registration(machine, index));
  await until("nodes without the taint of a new node", async () =>
    (await list("/api/v1/nodes")).every(
      ({ spec }) => !(spec.taints ?? []).some((t: Json) => t.key.startsWith("node.kubernetes.io/")),
    ),
  );
  await apply(before(read(platform)));
  await until(
    "DaemonSets and applications",
    async () => (await daemonSetsSettled()) && (await portalRuns()) && (await claimsBound()),
  );

  await clock.enter("2026-03-16T08:55:00Z");
  say("An ordinary morning: somebody replaces a pod of the portal");
  await fleet.repeat(0);
  const replaced = (await podsOf("portal", "Running")).find(({ spec }) => spec.nodeName === "worker-1");
  await cluster.kubectl(["delete", "pod", "--namespace", "web", "--wait=false", replaced.metadata.name]);
  await until("the portal", portalRuns);
  await write("before.yaml");

  await clock.enter("2026-03-16T09:00:00Z");
  say("rdma-1 is set aside for training: NoSchedule evicts nobody, nothing happens");
  await taint("rdma-1");
  const runsBefore = (await list("/api/v1/pods")).length;
  await until("nothing", async () => (await list("/api/v1/pods")).length === runsBefore);

  await clock.enter("2026-04-13T10:00:00Z");
  say("The monthly rollout of images: rdma-1 loses its pods, every DaemonSet says it is complete");
  await apply(read(platform));
  await until("the rollout", async () => (await daemonSetsSettled()) && (await portalRuns()));

  await clock.enter("2026-04-13T15:00:00Z");
  say("rdma-2 is set aside too: its pods stay, until the next rollout");
  await taint("rdma-2");
  const runsStill = (await list("/api/v1/pods")).length;
  // The counters in the DaemonSets' status do not move either: the controller
  // has no reason to look at them before the next pod or resync.
  await until("nothing", async () => (await list("/api/v1/pods")).length === runsStill);

  await clock.enter("2026-04-14T09:20:00Z");
  say("A training run starts");
  await apply(read(users));
  await until("one trainer and one loader, the others waiting", async () => {
    const counts = await Promise.all(
      ["trainer", "dataset-loader"].flatMap((app) => ["Running", "Pending"].map((phase) => podsOf(app, phase))),
    );
    return counts.every(({ length }) => length === 1);
  });

  await clock.enter("2026-04-14T10:00:00Z");
  say("Somebody looks");
  await fleet.repeat(22);
  await until("the scheduler's next try", async () =>
    (await list("/api/v1/events?fieldSelector=reason%3DFailedScheduling")).some(({ series }) => series?.count > 1),
  );
  await write("cluster.yaml");
  say(await cluster.kubectl(["get", "daemonsets,pods", "-A", "-o", "wide"]));
} finally {
  await cluster.stop();
}

function namespacesFirst(a: string, b: string): number {
  return Number(b === "namespaces.yaml") - Number(a === "namespaces.yaml") || a.localeCompare(b);
}
