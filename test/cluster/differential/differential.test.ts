// Random clusters, created for real: what the controllers and the scheduler do must be what Taintwise says.
// TAINTWISE_WORLDS (default 300) and TAINTWISE_SEED (default 1) choose how many and which.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually, type Json } from "../api.ts";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { evictedAfter, sentence, verdict } from "./predict.ts";
import { makeWorld, type World } from "./world.ts";

const WORLDS = Number(process.env.TAINTWISE_WORLDS ?? 300);
const SEED = Number(process.env.TAINTWISE_SEED ?? 1);
/** Worlds that live at the same time: their nodes are seen by every workload's controller. */
const BATCH = 50;
/** Finite tolerationSeconds up to this many are waited for. */
const WAITED = 5;

let cluster: ControlPlane;
beforeAll(async () => {
  await buildPrograms((line) => console.log(line));
  cluster = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true });
});
afterAll(() => cluster?.stop());

const NODES = "/api/v1/nodes";
const PODS = "/api/v1/namespaces/default/pods";
const DAEMON_SETS = "/apis/apps/v1/namespaces/default/daemonsets";
const pathOf: Record<string, string> = {
  Deployment: "/apis/apps/v1/namespaces/default/deployments",
  Job: "/apis/batch/v1/namespaces/default/jobs",
};

/** The first batch; a failed one can be looked at alone. */
const FIRST = Number(process.env.TAINTWISE_FIRST_BATCH ?? 0);
const batches = Array.from({ length: Math.ceil(WORLDS / BATCH) - FIRST }, (_, index) => FIRST + index);

test.each(batches)("batch %i: placement, bindings, sentences, and what a taint changes", async (batch) => {
  const worlds = Array.from({ length: Math.min(BATCH, WORLDS - batch * BATCH) }, (_, index) =>
    makeWorld(batch * BATCH + index, SEED),
  );
  await createNodes(worlds);
  const nodes = await settledNodes(worlds);
  await all(
    worlds.flatMap((world) => world.daemonSets),
    (object) => cluster.api.create(DAEMON_SETS, object),
  );
  const before = await settle("DaemonSet pods", () => placementDifferences(worlds, nodes));
  expect(before).toEqual([]);
  await all(
    worlds.flatMap((world) => world.others),
    (object) => cluster.api.create(pathOf[object.kind] ?? "", object),
  );
  expect(await settle("bindings", () => bindingDifferences(worlds, nodes))).toEqual([]);

  const held = await pods();
  await all(worlds, (world) => applyTaint(world, nodes));
  const tainted = await settledNodes(worlds);
  expect(await settle("kept and evicted pods", () => changeDifferences(worlds, nodes, tainted, held))).toEqual([]);
});

afterEach(removeAll);

async function createNodes(worlds: readonly World[]): Promise<void> {
  await all(
    worlds.flatMap((world) => world.nodes),
    (node) => cluster.api.create(NODES, node),
  );
}

/** The nodes when only the taints that stay are left on them. */
async function settledNodes(worlds: readonly World[]): Promise<ReadonlyMap<string, Json>> {
  const wanted = worlds.reduce((sum, world) => sum + world.nodes.length, 0);
  return eventually(
    "settled nodes",
    async () => {
      const { items } = await cluster.api.get(NODES);
      const settled = items.every(
        (node: Json) => isReady(node) && hasCordonTaint(node) === (node.spec.unschedulable === true),
      );
      if (items.length !== wanted || !settled) return undefined;
      return new Map<string, Json>(items.map((node: Json) => [node.metadata.name, node]));
    },
    120_000,
  );
}

function taintKeys(node: Json): readonly string[] {
  return (node.spec.taints ?? []).map((taint: Json) => taint.key);
}

function isReady(node: Json): boolean {
  return !taintKeys(node).some(
    (key) => key === "node.kubernetes.io/not-ready" || key === "node.kubernetes.io/unreachable",
  );
}

function hasCordonTaint(node: Json): boolean {
  return taintKeys(node).includes("node.kubernetes.io/unschedulable");
}

async function pods(): Promise<readonly Json[]> {
  const { items } = await cluster.api.get(PODS);
  return items.filter((pod: Json) => pod.metadata.deletionTimestamp === undefined);
}

/** The node that a DaemonSet's pod is for, also while it is not bound. */
function nodeOf(pod: Json): string {
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return pod.spec.nodeName ?? terms[0]?.matchFields?.[0]?.values?.[0] ?? "";
}

/** DaemonSet@node → its pods. */
function byPlace(items: readonly Json[]): ReadonlyMap<string, readonly Json[]> {
  const places = new Map<string, Json[]>();
  for (const pod of items) {
    const owner = pod.metadata.ownerReferences?.[0];
    if (owner?.kind !== "DaemonSet") continue;
    const place = `${owner.name}@${nodeOf(pod)}`;
    places.set(place, [...(places.get(place) ?? []), pod]);
  }
  return places;
}

/** Before anything changes a DaemonSet has a pod exactly where the verdict is `run`. */
async function placementDifferences(
  worlds: readonly World[],
  nodes: ReadonlyMap<string, Json>,
): Promise<readonly string[]> {
  const places = byPlace(await pods());
  const expected = new Set<string>();
  for (const world of worlds) {
    for (const daemonSet of world.daemonSets) {
      for (const [name, node] of nodes) {
        const said = verdict(daemonSet, node);
        const loops = said === "run" && isShort(evictedAfter(daemonSet, node));
        const place = `${daemonSet.metadata.name}@${name}`;
        // A pod that is evicted and made again comes and goes: its being there proves nothing.
        if (loops) expected.add(place);
        else if (said === "run" && !places.has(place)) return [`${place}: run, but there is no pod`];
        else if (said === "run") expected.add(place);
      }
    }
  }
  return [...places.keys()]
    .filter((place) => !expected.has(place))
    .map((place) => `${place}: a pod where none is expected`);
}

function isShort(seconds: number | null): boolean {
  return seconds !== null && seconds <= WAITED;
}

/** A bound pod lies where it fits; one that is Pending says what Taintwise says. */
async function bindingDifferences(
  worlds: readonly World[],
  nodes: ReadonlyMap<string, Json>,
): Promise<readonly string[]> {
  const items = await pods();
  const { items: events } = await cluster.api.get(
    "/api/v1/namespaces/default/events?fieldSelector=reason%3DFailedScheduling",
  );
  const differences: string[] = [];
  for (const object of worlds.flatMap((world) => world.others)) {
    const pod = items.find((each) => each.metadata.labels?.app === object.metadata.name);
    if (pod === undefined) {
      // A Job whose pod was evicted at once has ended, by failing or before that, and makes no other one.
      const evicted = [...nodes.values()].some(
        (each) => verdict(object, each) === "fits" && isShort(evictedAfter(object, each)),
      );
      if (object.kind === "Job" && evicted && (await hasEnded(object))) continue;
      return [`${object.metadata.name}: no pod yet`];
    }
    const node = nodes.get(pod.spec.nodeName ?? "");
    if (node !== undefined) {
      const said = verdict(object, node);
      if (said !== "fits")
        differences.push(`${object.metadata.name} is bound to ${node.metadata.name}, where it is said: ${said}`);
      continue;
    }
    const expected = sentence(pod, [...nodes.values()], items);
    const told = lastMessage(events, pod);
    if (told === null) return [`${object.metadata.name}: neither bound nor refused yet`];
    if (told !== expected)
      differences.push(`${object.metadata.name}: the scheduler says "${told}", Taintwise "${expected}"`);
  }
  return differences;
}

async function hasEnded(job: Json): Promise<boolean> {
  const { status } = await cluster.api.get(`${pathOf.Job}/${job.metadata.name}`);
  return (status.conditions ?? []).some(
    (condition: Json) => ["Failed", "Complete"].includes(condition.type) && condition.status === "True",
  );
}

function lastMessage(events: readonly Json[], pod: Json): string | null {
  const own = events.filter((event) => event.involvedObject.uid === pod.metadata.uid);
  const time = (event: Json): string => event.series?.lastObservedTime ?? event.eventTime ?? event.lastTimestamp ?? "";
  own.sort((left, right) => (time(left) < time(right) ? 1 : -1));
  return own[0]?.message ?? null;
}

async function applyTaint(world: World, nodes: ReadonlyMap<string, Json>): Promise<void> {
  const { taint, nodes: names } = world.change;
  await all(names, (name) => {
    const present = (nodes.get(name)?.spec.taints ?? []).filter(
      (each: Json) => each.key !== taint.key || each.effect !== taint.effect,
    );
    return cluster.api.merge(`${NODES}/${name}`, { spec: { taints: [...present, taint] } });
  });
}

/**
 * After the taint: pods that are kept are the same objects as before, evicted ones are gone, and where a pod is made
 * again after an eviction only the old object's absence counts.
 */
async function changeDifferences(
  worlds: readonly World[],
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  held: readonly Json[],
): Promise<readonly string[]> {
  const was = byPlace(held);
  const is = byPlace(await pods());
  const differences: string[] = [];
  for (const daemonSet of worlds.flatMap((world) => world.daemonSets)) {
    for (const [name, node] of after) {
      const place = `${daemonSet.metadata.name}@${name}`;
      const old = was.get(place) ?? [];
      const now = is.get(place) ?? [];
      const [earlier, said] = [verdict(daemonSet, before.get(name)), verdict(daemonSet, node)];
      const seconds = evictedAfter(daemonSet, node);
      const expectation = expected(earlier, said, seconds, isShort(evictedAfter(daemonSet, before.get(name))));
      const kept = old.some((pod) => now.some((each) => each.metadata.uid === pod.metadata.uid));
      const story = `${place}: ${earlier} → ${said}${seconds === null ? "" : `, evicted after ${seconds} s`}`;
      if (expectation === "kept" && !kept) differences.push(`${story}: the pod should have stayed`);
      if (expectation === "gone" && now.length > 0) differences.push(`${story}: no pod should be left`);
      if (expectation === "replaced" && kept) differences.push(`${story}: the old pod should be gone`);
      if (expectation === "new" && now.length === 0) differences.push(`${story}: a pod should have been made`);
    }
  }
  return differences;
}

function expected(
  earlier: string,
  said: string,
  seconds: number | null,
  looped: boolean,
): "kept" | "gone" | "replaced" | "new" | "any" {
  if (said === "affinity" || said === "evict") return "gone";
  // Whether a pod that comes and goes was there at that moment is chance.
  if (looped) return "any";
  const had = earlier === "run";
  if (said === "keep") return had && !isShort(seconds) ? "kept" : "gone";
  if (!had) return isShort(seconds) ? "any" : "new";
  return isShort(seconds) ? "replaced" : "kept";
}

/** Looks until there are no differences, or they stay: the last ones are the answer. */
async function settle(what: string, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const started = Date.now();
  let differences = await look();
  // Nothing to differ may be too early: what must not happen needs time to happen.
  const least = started + (WAITED + 2) * 1000;
  while ((differences.length > 0 && Date.now() - started < 90_000) || Date.now() < least) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    differences = await look();
  }
  for (const difference of differences) console.log(difference);
  console.log(`${what}: ${differences.length} differences after ${Math.round((Date.now() - started) / 100) / 10} s`);
  return differences;
}

async function removeAll(): Promise<void> {
  const now = "gracePeriodSeconds=0&propagationPolicy=Background";
  for (const path of [DAEMON_SETS, ...Object.values(pathOf)]) await cluster.api.delete(`${path}?${now}`);
  await cluster.api.delete(`${PODS}?${now}`);
  await cluster.api.delete(NODES);
  await eventually(
    "an empty cluster",
    async () => {
      const left = await Promise.all([NODES, PODS, DAEMON_SETS].map((path) => cluster.api.get(path)));
      if (left.every(({ items }) => items.length === 0)) return true;
      await cluster.api.delete(`${PODS}?${now}`);
      return undefined;
    },
    120_000,
  );
  await cluster.api.delete("/api/v1/namespaces/default/events");
}

/** Runs `work` for all items, a few at a time. */
async function all<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
