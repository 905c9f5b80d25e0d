// Somebody who may read a few namespaces and not the cluster: those are read, and nothing is concluded about the others.
import { afterEach, expect, test } from "vitest";
import { problemsOf } from "../../server/src/cluster/live/problems.ts";
import { inNamespace, LIVE_RESOURCES } from "../../server/src/cluster/live/resource.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { indexIdentities, matchLive, runningPods } from "../../server/src/coverage/identity.ts";
import { type Answer, type ApiServer, list, node, openWatch, startApiServer, status } from "./api-server.ts";
import { eventually, type Following, follow } from "./following.ts";

let server: ApiServer | null = null;
let following: Following | null = null;
afterEach(async () => {
  await following?.stop();
  await server?.stop();
});

const RESOURCES = ["nodes", "pods", "daemonsets", "deployments"];

const daemonSet = (namespace: string): object => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", namespace, uid: `ds-${namespace}` },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});
const pod = (namespace: string): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "agent-x",
    namespace,
    uid: `pod-${namespace}`,
    ownerReferences: [
      { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: `ds-${namespace}`, controller: true },
    ],
  },
  spec: { nodeName: "a", containers: [{ name: "c", image: "i" }] },
  status: { phase: "Running" },
});

/** Nodes for everybody; of the rest only the namespaces that are allowed. */
const serving =
  (allowed: { namespaces: readonly string[]; whole: boolean }): Answer =>
  (request, response) => {
    const [, namespace = ""] = /\/namespaces\/([^/]+)\//.exec(request.path) ?? [];
    const plural = request.path.split("/").at(-1) ?? "";
    if (plural !== "nodes" && !(namespace === "" ? allowed.whole : allowed.namespaces.includes(namespace))) {
      const message = `${plural} is forbidden: User "dev" cannot list resource "${plural}" in API group "" at the cluster scope`;
      return status(response, 403, "Forbidden", message);
    }
    if (request.watch) return openWatch(response);
    const all = namespace === "" ? ["team-a", "team-b"] : [namespace];
    if (plural === "nodes") list(response, "10", [node("a", "1")]);
    else if (plural === "pods") list(response, "10", all.map(pod));
    else list(response, "10", plural === "daemonsets" ? all.map(daemonSet) : []);
  };

async function start(answer: Answer, namespaces: readonly string[], slow = 300_000): Promise<Following> {
  server = await startApiServer(answer);
  following = follow(server.url, { resources: RESOURCES, namespaces, limits: { slow } });
  return following;
}

const seen = (model: ClusterModel): string =>
  model.pods
    .map((each) => each.namespace)
    .sort()
    .join(" ");

test("the namespaces that are named are read; the parts stay forbidden, and what is known of them is told", async () => {
  const watched = await start(serving({ namespaces: ["team-a"], whole: false }), ["team-a", "team-b"]);
  const model = await watched.until("team-a", (next) => seen(next) === "team-a" && next.origin === "live");
  expect(model.parts).toMatchObject({
    nodes: "known",
    pods: "forbidden",
    daemonsets: "forbidden",
    owners: "forbidden",
  });
  expect(model.readNamespaces).toEqual({ pods: ["team-a"], daemonsets: ["team-a"], owners: ["team-a"] });
  // What lies in a namespace that was read is known; what lies elsewhere is not.
  const index = indexIdentities(model);
  const [live] = model.workloads;
  if (live === undefined) throw new Error("no DaemonSet");
  const written = { ...live, uid: "" };
  expect(matchLive(written, index)).toEqual({ state: "matched", workload: live });
  expect(runningPods(live, index)?.map(({ name }) => name)).toEqual(["agent-x"]);
  expect(matchLive({ ...written, namespace: "team-b" }, index)).toEqual({ state: "unknown", why: "not-read" });
  expect(runningPods({ ...live, namespace: "team-b" }, index)).toBeNull();
});

test("without a namespace nothing else is asked for", async () => {
  const watched = await start(serving({ namespaces: ["team-a"], whole: false }), []);
  await watched.until("settled", (model) => model.parts.pods === "forbidden" && model.parts.nodes === "known");
  expect(server?.requests.filter(({ path }) => path.includes("/namespaces/"))).toEqual([]);
});

test("when the whole cluster may be read at last, the single namespaces are let go, and come back with the refusal", async () => {
  const allowed = { namespaces: ["team-a"], whole: false };
  const watched = await start(serving(allowed), ["team-a"], 2_000);
  await watched.until("team-a", (model) => seen(model) === "team-a");
  allowed.whole = true;
  const whole = await watched.until("both", (model) => seen(model) === "team-a team-b");
  expect(whole.parts.pods).toBe("known");
  await watched.until("nothing said of namespaces", (model) => Object.keys(model.readNamespaces ?? {}).length === 0);
  await eventually(
    "no namespace by itself",
    () => ([...watched.cluster.states.keys()].some((id) => id.includes(" in ")) ? null : true),
    () => [...watched.cluster.states.keys()].join(),
  );
});

test("a refusal of many kinds is one sentence with the right to ask for", async () => {
  const watched = await start(serving({ namespaces: [], whole: false }), ["team-a"]);
  await watched.until("settled", (model) => model.parts.pods === "forbidden" && model.parts.nodes === "known");
  expect(problemsOf(watched.cluster.states)).toEqual([
    'User "dev" may not list daemonsets, pods, deployments, daemonsets in team-a, pods in team-a, deployments in team-a; ask for list and watch on them (docs/rbac.yaml is the whole role)',
  ]);
});

test("one problem of many kinds is told once, with the first of the next attempts", () => {
  const state = { asOf: null, synced: false, unreachable: true } as const;
  const states = new Map([
    ["nodes", { ...state, phase: "waiting", problem: "nothing listens there", nextAttempt: 9_000 } as const],
    ["pods", { ...state, phase: "waiting", problem: "nothing listens there", nextAttempt: 5_000 } as const],
    ["leases", { ...state, phase: "not-served", problem: "not served by this cluster", nextAttempt: null } as const],
  ]);
  expect(problemsOf(states, (at) => `${at / 1000} s`)).toEqual(["nothing listens there; next attempt at 5 s"]);
  expect(problemsOf(states)).toEqual(["nothing listens there"]);
});

test("the path of a namespace stands between group and kind, and names are escaped", () => {
  const paths = LIVE_RESOURCES.filter(({ namespaced }) => namespaced).map((each) => inNamespace(each, "a b").path);
  expect(paths).toContain("/api/v1/namespaces/a%20b/pods");
  expect(paths).toContain("/apis/apps/v1/namespaces/a%20b/daemonsets");
  expect(LIVE_RESOURCES.filter(({ namespaced }) => !namespaced).map(({ plural }) => plural)).not.toContain("pods");
});
