// What is remembered of a context between two starts.
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyModel } from "../../server/src/cluster/empty.ts";
import { LiveCache } from "../../server/src/cluster/live/cache.ts";
import { decodeNode } from "../../server/src/kube/decode/node.ts";
import { node, TAINT } from "./api-server.ts";

let folder = "";
const problems: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "taintwise-cache-"));
  problems.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const cache = (path: string, name: string, server = "https://one") =>
  new LiveCache(folder, { path, name, server }, (message) => problems.push(message));
const model = (name: string, taints: readonly object[] = []) => ({
  ...emptyModel("prod", "live"),
  observedAt: Date.parse("2026-03-02T10:00:00Z"),
  nodes: new Map([[name, decodeNode(node(name, "1", taints), null)]]),
});

test("a live model comes back as a memory with its age", async () => {
  const first = cache("/k", "prod");
  first.remember(model("a", [TAINT]));
  await first.flush();
  const remembered = await cache("/k", "prod").read();
  expect(remembered).toMatchObject({ name: "prod", origin: "cache", observedAt: Date.parse("2026-03-02T10:00:00Z") });
  expect(remembered?.nodes.get("a")?.taints).toEqual([{ ...TAINT, timeAdded: null }]);
});

test("contexts of one name in two files are two", async () => {
  for (const [path, name] of [
    ["/one", "a"],
    ["/two", "b"],
  ] as const) {
    const each = cache(path, "default");
    each.remember(model(name));
    await each.flush();
  }
  expect([...((await cache("/one", "default").read())?.nodes.keys() ?? [])]).toEqual(["a"]);
  expect([...((await cache("/two", "default").read())?.nodes.keys() ?? [])]).toEqual(["b"]);
  expect(await cache("/two", "renamed").read()).toBeNull();
});

test("a context that leads to another server has no memory there", async () => {
  const first = cache("/k", "prod");
  first.remember(model("a"));
  await first.flush();
  expect(await cache("/k", "prod", "https://two").read()).toBeNull();
});

test("what nobody wrote for a quarter of a year is forgotten, and nothing else in the folder", async () => {
  const old = cache("/k", "old");
  old.remember(model("a"));
  await old.flush();
  const [file = ""] = await readdir(join(folder, "clusters"));
  const then = new Date(Date.now() - 100 * 86_400_000);
  await writeFile(join(folder, "clusters", "notes.txt"), "mine");
  for (const name of [file, "notes.txt"]) await utimes(join(folder, "clusters", name), then, then);
  const fresh = cache("/k", "fresh");
  fresh.remember(model("b"));
  await fresh.flush();
  const left = await readdir(join(folder, "clusters"));
  expect(left).toContain("notes.txt");
  expect(left).not.toContain(file);
  expect(await cache("/k", "fresh").read()).not.toBeNull();
});

test("a memory is not remembered again as if it were fresh", async () => {
  const each = cache("/k", "prod");
  each.remember({ ...model("a"), origin: "cache" });
  await each.flush();
  expect(await each.read()).toBeNull();
});

test("a damaged file is told once and forgotten", async () => {
  const each = cache("/k", "prod");
  each.remember(model("a"));
  await each.flush();
  const [file = ""] = await readdir(join(folder, "clusters"));
  const bytes = await readFile(join(folder, "clusters", file));
  await writeFile(join(folder, "clusters", file), bytes.subarray(0, bytes.length / 2));
  expect(await each.read()).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^the remembered state of prod is not used: the snapshot is damaged/);
  expect(await readdir(join(folder, "clusters"))).toEqual([]);
});

test("a folder that cannot be written is told in a sentence", async () => {
  await writeFile(join(folder, "clusters"), "in the way");
  const each = cache("/k", "prod");
  each.remember(model("a"));
  await each.flush();
  expect(problems[0]).toMatch(/^the state of prod could not be remembered in /);
});
