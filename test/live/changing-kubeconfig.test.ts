// A context that is followed while its kubeconfig is edited: removed, it is let go at once; changed, it is connected
// anew; a file that is being written is no removal.
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FollowedContext } from "../../server/src/cluster/live/followed-context.ts";
import { defaultLiveSettings } from "../../server/src/cluster/live/open-context.ts";
import { DEFAULT_LIMITS } from "../../server/src/cluster/live/watch/limits.ts";
import type { ReflectorState } from "../../server/src/cluster/live/watch/state.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { type ApiServer, list, node, openWatch, startApiServer, status } from "./api-server.ts";
import { createAuthority } from "./certificates.ts";
import { eventually } from "./following.ts";

let folder = "";
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "taintwise-changing-"));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

const path = (name = "config"): string => join(folder, name);

/** A server with one node of this name. */
async function serving(name: string, tls?: Parameters<typeof startApiServer>[1]): Promise<ApiServer> {
  const server = await startApiServer((request, response) => {
    if (request.watch) openWatch(response);
    else list(response, "10", request.path.endsWith("/nodes") ? [node(name, "1")] : []);
  }, tls);
  ends.push(() => server.stop());
  return server;
}

const kubeconfig = (server: string, user = "{}", context = "prod", cluster = ""): string => `clusters:
- {name: c, cluster: {server: "${server}"${cluster}}}
contexts:
- {name: ${context}, context: {cluster: c, user: u}}
users:
- {name: u, user: ${user}}
`;

/** As tools write it: whole, in one step. */
async function write(text: string, name = "config"): Promise<void> {
  await writeFile(path(`${name}.new`), text);
  await rename(path(`${name}.new`), path(name));
}

interface Seen {
  readonly followed: FollowedContext;
  readonly models: ClusterModel[];
  readonly news: string[];
  states: ReadonlyMap<string, ReflectorState>;
}

async function follow(chosen: { name: string; kubeconfig: string | null }, env: Record<string, string>): Promise<Seen> {
  const models: ClusterModel[] = [];
  const news: string[] = [];
  let states: ReadonlyMap<string, ReflectorState> = new Map();
  const followed = await FollowedContext.open(
    chosen,
    { ...defaultLiveSettings({ HOME: folder, PATH: process.env.PATH, ...env }, () => undefined) },
    {
      onModel: (model) => models.push(model),
      onState: (next) => {
        states = next;
      },
      onGone: (reason) => news.push(`gone: ${reason}`),
      onChanged: (_description, elsewhere) => news.push(elsewhere ? "elsewhere" : "changed"),
      lookEvery: 30,
      limits: { ...DEFAULT_LIMITS, deadline: 2_000 },
    },
  );
  ends.push(() => followed.stop());
  return {
    followed,
    models,
    news,
    get states() {
      return states;
    },
  };
}

const start = () => follow({ name: "prod", kubeconfig: null }, { KUBECONFIG: path() });
const names = (seen: Seen): string => [...(seen.models.at(-1)?.nodes.keys() ?? [])].join(" ");
const until = (what: string, seen: Seen, look: () => boolean): Promise<true> =>
  eventually(
    what,
    () => (look() ? true : null),
    () => JSON.stringify([names(seen), seen.news, [...seen.states]]),
  );

test("a context that is removed is let go: no request, no connection, and the reason", async () => {
  const server = await serving("a");
  await write(kubeconfig(server.url));
  const seen = await start();
  await until("live", seen, () => names(seen) === "a");
  await write(kubeconfig(server.url, "{}", "another"));
  await until("gone", seen, () => seen.news.length === 1);
  expect(seen.news).toEqual(['gone: the context "prod" is no longer in the kubeconfig: it is not followed any more']);
  await until("no connection", seen, () => server.connections().open === 0);
  const asked = server.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(server.requests.length).toBe(asked);
  expect(seen.followed.cluster).toBeNull();
});

test("a context that is retried without an answer is let go just the same, and followed again when it is back", async () => {
  const gone = await serving("a");
  await gone.stop();
  await write(kubeconfig(gone.url));
  const seen = await start();
  await until("retried", seen, () => [...seen.states.values()].some((state) => state.phase === "waiting"));
  await rm(path());
  await until("gone", seen, () => seen.news.length === 1);
  const server = await serving("b");
  await write(kubeconfig(server.url));
  await until("the new server", seen, () => names(seen) === "b");
  expect(seen.news.slice(1)).toEqual(["elsewhere"]);
});

test("another server in place: the old connection is dropped and the new one is used", async () => {
  const [first, second] = [await serving("a"), await serving("b")];
  await write(kubeconfig(first.url));
  const seen = await start();
  await until("the first", seen, () => names(seen) === "a");
  await write(kubeconfig(second.url));
  await until("the second", seen, () => names(seen) === "b");
  expect(seen.news).toEqual(["elsewhere"]);
  await until("no connection to the first", seen, () => first.connections().open === 0);
});

test("another user and another authority in place: what was read stays until it is read anew", async () => {
  const [one, two] = [createAuthority("One"), createAuthority("Two")];
  const server = await startApiServer(
    (request, response) => {
      if (request.headers.authorization !== "Bearer new") return status(response, 401, "Unauthorized", "who?");
      if (request.watch) openWatch(response);
      else list(response, "10", request.path.endsWith("/nodes") ? [node("a", "1")] : []);
    },
    two.sign("kube", ["127.0.0.1"]),
  );
  ends.push(() => server.stop());
  await writeFile(path("ca.pem"), one.cert);
  const text = (token: string) =>
    kubeconfig(server.url, `{token: ${token}}`, "prod", ", certificate-authority: ca.pem");
  await write(text("old"));
  const seen = await start();
  await until("not trusted", seen, () =>
    [...seen.states.values()].some((state) => state.problem.includes("not signed by an authority")),
  );
  await write(two.cert, "ca.pem");
  await until("sign-in needed", seen, () =>
    [...seen.states.values()].some((state) => state.phase === "sign-in-needed"),
  );
  await write(text("new"));
  await until("live", seen, () => names(seen) === "a");
  expect(seen.news).toEqual(["changed", "changed"]);
});

test("a file that is empty for a moment, or half written, is no removal", async () => {
  const server = await serving("a");
  await write(kubeconfig(server.url));
  const seen = await start();
  await until("live", seen, () => names(seen) === "a");
  await write("clusters:\n- {name: c, cluster: {server: ");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await write(kubeconfig(server.url));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(seen.news).toEqual([]);
  expect(server.connections().open).toBeGreaterThan(0);
});

test("what changes elsewhere in the file costs no connection", async () => {
  const server = await serving("a");
  await write(kubeconfig(server.url));
  const seen = await start();
  await until("live", seen, () => names(seen) === "a");
  const { opened } = server.connections();
  await write(`${kubeconfig(server.url)}current-context: other\npreferences: {colors: true}\n`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(seen.news).toEqual([]);
  expect(server.connections().opened).toBe(opened);
});

test("a context that was chosen from a list finds its cluster in another file, and one of the same name is another", async () => {
  const [one, two] = [await serving("a"), await serving("b")];
  await write("contexts: [{name: prod, context: {cluster: c, user: u}}]\n", "contexts");
  await write(kubeconfig(one.url, "{}", "unused"), "clusters");
  await write(kubeconfig(two.url), "second");
  const env = { KUBECONFIG: [path("contexts"), path("clusters"), path("second")].join(":") };
  const split = await follow({ name: "prod", kubeconfig: path("contexts") }, env);
  await until("a", split, () => names(split) === "a");
  const hidden = await follow({ name: "prod", kubeconfig: path("second") }, env);
  await until("b", hidden, () => names(hidden) === "b");
});
