// Judging in the background: the newest model is judged, an older answer stands meanwhile, and a failing rule ends nothing.
import { expect, test, vi } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { Judging } from "../../server/src/lsp/explorer/judging.ts";
import { CLUSTER, OPEN_CLUSTER } from "./fixtures.ts";

function modelOf(text: string): ClusterModel {
  const bytes = new TextEncoder().encode(text);
  return readClusterFiles([{ path: "cluster.yaml", bytes, named: true }], { name: "prod", now: null }).model;
}

function judgingOf(first: ClusterModel | null) {
  const world = { model: first, now: null as number | null, errors: [] as string[], changes: 0 };
  const note = (message: string) => {
    world.errors.push(message);
  };
  const judging = new Judging({
    follows: () => true,
    typing: () => false,
    clusters: () =>
      world.model === null
        ? []
        : [
            {
              key: "k",
              model: world.model,
              config: DEFAULT_CONFIG,
              access: null,
              baseline: null,
              history: null,
              ...(world.now === null ? {} : { now: world.now }),
            },
          ],
    onChange: () => {
      world.changes++;
    },
    log: { error: note, warn: note, info: note },
  });
  return { world, judging };
}

test("the newest model is judged, whatever came in between", async () => {
  const { world, judging } = judgingOf(modelOf(CLUSTER));
  judging.ask();
  await judging.settled(10_000);
  const first = judging.clusters[0]?.model;
  world.model = modelOf(CLUSTER);
  judging.ask();
  world.model = modelOf(OPEN_CLUSTER);
  judging.ask();
  expect(judging.clusters[0]?.model).toBe(first);
  await judging.settled(10_000);
  expect(judging.clusters[0]?.model).toBe(world.model);
  expect(judging.pending).toBe(false);
});

test("a cluster that is no longer in use is forgotten, and that is told", async () => {
  const { world, judging } = judgingOf(modelOf(CLUSTER));
  judging.ask();
  await judging.settled(10_000);
  const { changes } = world;
  world.model = null;
  judging.refresh();
  expect(judging.clusters).toEqual([]);
  expect(world.changes).toBe(changes + 1);
});

test("a model on which a rule fails is logged once and not tried again", async () => {
  const model = modelOf(CLUSTER);
  const broken = { ...model, pods: null as unknown as ClusterModel["pods"] };
  const { world, judging } = judgingOf(broken);
  judging.ask();
  await judging.settled(10_000);
  judging.ask();
  await judging.settled(10_000);
  expect(world.errors).toHaveLength(1);
  expect(judging.pending).toBe(false);
  world.model = model;
  judging.ask();
  await judging.settled(10_000);
  expect(judging.clusters[0]?.model).toBe(model);
});

test("nothing is judged after it was stopped", async () => {
  const { judging } = judgingOf(modelOf(CLUSTER));
  judging.stop();
  judging.ask();
  await judging.settled(1000);
  expect(judging.clusters).toEqual([]);
});

test("time alone makes a cluster that is followed be judged again, half a minute later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { world, judging } = judgingOf(modelOf(CLUSTER));
    world.now = Date.parse("2026-03-02T10:00:00Z");
    judging.ask();
    await vi.waitUntil(() => judging.clusters.length > 0);
    const [first] = judging.clusters;
    world.now += 29_000;
    judging.ask();
    expect(judging.pending).toBe(false);
    world.now += 1_000;
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitUntil(() => judging.clusters[0] !== first);
    expect(judging.clusters[0]?.facts.now).toBe(world.now);
    expect(judging.clusters[0]?.model).toBe(first?.model);
    judging.stop();
  } finally {
    vi.useRealTimers();
  }
});
