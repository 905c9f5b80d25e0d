// A real API server that goes away, forgets, refuses and answers slowly. After each, the model equals a fresh list,
// and in between nothing old is shown as fresh.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../api.ts";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { essence } from "./essence.ts";
import { type FaultyProxy, startProxy } from "./proxy.ts";
import { untilEqual, type Watched, watch } from "./watched.ts";

const READER = { name: "reader", token: "reader-token" };
const ROLE_BINDING = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

let cluster: ControlPlane;
let proxy: FaultyProxy;
let watched: Watched | null = null;

beforeAll(async () => {
  await buildPrograms((line) => console.log(line));
  cluster = await startControlPlane({
    controllerManager: true,
    scheduler: true,
    kwok: true,
    authorization: "RBAC",
    users: [READER],
  });
  await cluster.kubectl(["apply", "-f", "docs/rbac.yaml"]);
  await bindReader();
  for (const name of ["a", "b", "c"]) await createNode(name);
  await cluster.api.create("/apis/apps/v1/namespaces/default/daemonsets", {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
});
afterAll(() => cluster?.stop());

beforeEach(async () => {
  proxy = await startProxy(cluster.server);
});
afterEach(async () => {
  await watched?.stop();
  watched = null;
  await proxy.stop();
});

const createNode = (name: string) =>
  cluster.api.create("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, annotations: { "kwok.x-k8s.io/node": "fake" } },
  });

const bindReader = () =>
  cluster.api.create(ROLE_BINDING, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "reader" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "taintwise" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: READER.name }],
  });

/** Follows the cluster through the proxy with the rights of docs/rbac.yaml and no more. */
async function start(limits: Parameters<typeof watch>[1] = {}): Promise<Watched> {
  const started = await watch(cluster.kubeconfigFor(READER).replace(cluster.server, proxy.url), limits);
  watched = started;
  return started;
}

test("the documented role is enough: every part is known", async () => {
  const live = await start();
  const model = await live.until("settled", (seen) => seen.origin === "live");
  expect(Object.entries(model.parts).filter(([, state]) => state !== "known")).toEqual([]);
  await untilEqual(live, cluster.api);
});

test("the API server is killed and comes back", async () => {
  const live = await start();
  await untilEqual(live, cluster.api);
  const held = essence(live.cluster.model);
  await cluster.stopComponent("kube-apiserver", true);
  const memory = await live.until("a memory", (model) => model.origin === "cache");
  expect(essence(memory)).toEqual(held);
  await cluster.startComponent("kube-apiserver");
  await cluster.kubectl(["taint", "--overwrite", "node", "a", "after=restart:NoSchedule"]);
  await untilEqual(live, cluster.api, 90_000);
});

test("a version that the server no longer has is answered by a new list, deletions included", async () => {
  const live = await start();
  await createNode("passing");
  await untilEqual(live, cluster.api);
  proxy.deaf(true);
  await cluster.api.delete("/api/v1/nodes/passing");
  await createNode("later");
  await cluster.kubectl(["taint", "--overwrite", "node", "b", "while=away:NoSchedule"]);
  // A server that starts anew remembers no change from before: resuming from an old version is answered with 410.
  await cluster.stopComponent("kube-apiserver", true);
  await cluster.startComponent("kube-apiserver");
  proxy.deaf(false);
  proxy.cut();
  await untilEqual(live, cluster.api, 90_000);
  expect(live.models.some((model) => model.nodes.has("passing") && model.nodes.has("later"))).toBe(false);
});

test("a token that expires is renewed from its file", async () => {
  const tokens = join(cluster.folder, "tokens.csv");
  const tokenFile = join(cluster.folder, "reader.token");
  writeFileSync(tokenFile, READER.token);
  const text = cluster
    .kubeconfigFor(READER)
    .replace(cluster.server, proxy.url)
    .replace(`token: ${READER.token}`, `tokenFile: ${tokenFile}`);
  watched = await watch(text);
  await untilEqual(watched, cluster.api);
  writeFileSync(tokens, readFileSync(tokens, "utf8").replace(READER.token, "renewed-token"));
  await cluster.stopComponent("kube-apiserver", true);
  await cluster.startComponent("kube-apiserver");
  await eventually(
    "sign-in needed",
    () => {
      const states = [...(watched?.cluster.states.values() ?? [])];
      return states.some((state) => state.phase === "sign-in-needed") ? true : undefined;
    },
    90_000,
  );
  writeFileSync(tokenFile, "renewed-token");
  watched.cluster.retryNow();
  await untilEqual(watched, cluster.api);
  writeFileSync(tokens, readFileSync(tokens, "utf8").replace("renewed-token", READER.token));
  await cluster.stopComponent("kube-apiserver", true);
  await cluster.startComponent("kube-apiserver");
});

test("rights are narrowed and widened: the part says so, and nothing is concluded from its absence", async () => {
  const live = await start({ slow: 2_000 });
  await untilEqual(live, cluster.api);
  await cluster.api.delete(`${ROLE_BINDING}/reader`);
  // Rights count when a request is made: the open streams must be made anew.
  await eventually(
    "every part forbidden",
    async () => {
      proxy.cut();
      const states = [...live.cluster.states.values()];
      return states.every((state) => state.phase === "forbidden") ? true : undefined;
    },
    60_000,
  );
  const model = await live.until("forbidden", (seen) =>
    Object.values(seen.parts).every((state) => state === "forbidden"),
  );
  expect(essence(model)).toEqual([]);
  expect(live.cluster.states.get("nodes")?.problem).toMatch(/User "reader" cannot (list|watch) resource "nodes"/);
  await bindReader();
  await untilEqual(live, cluster.api);
});

test("a slow connection, and one that is cut in the middle of a list", async () => {
  proxy.slow(20);
  proxy.cutAfter(6_000);
  const live = await start();
  await untilEqual(live, cluster.api, 90_000);
  proxy.cut();
  proxy.cutAfter(3_000);
  await cluster.kubectl(["taint", "--overwrite", "node", "c", "slow=yes:NoSchedule"]);
  await untilEqual(live, cluster.api, 90_000);
});

test("a server that accepts and never answers is given up in under ten seconds, and named", async () => {
  proxy.deaf(true);
  const started = Date.now();
  const live = await start();
  const problem = await eventually("given up", () => {
    const state = live.cluster.states.get("nodes");
    return state?.phase === "waiting" ? state.problem : undefined;
  });
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(problem).toContain(`${proxy.url}: no answer within 9 s`);
  expect(live.cluster.model.origin).toBe("none");
});
