// Servers, gateways and storages that behave oddly: what a reflector must live with, and what client-go does then.
import type { ServerResponse } from "node:http";
import { createGzip, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import {
  type Answer,
  type ApiServer,
  bookmark,
  frame,
  list,
  node,
  openWatch,
  startApiServer,
  status,
  TAINT,
} from "./api-server.ts";
import { eventually, type Following, type FollowOptions, follow, pass } from "./following.ts";

let server: ApiServer | null = null;
let following: Following | null = null;
afterEach(async () => {
  await following?.stop();
  await server?.stop();
  server = null;
  following = null;
});

async function start(answer: Answer, options: FollowOptions = {}): Promise<{ api: ApiServer; watched: Following }> {
  server = await startApiServer(answer);
  following = follow(server.url, { limits: { silence: 5_000, deadline: 2_000 }, ...options });
  return { api: server, watched: following };
}

const names = (model: ClusterModel): string => [...model.nodes.keys()].join(" ");
const lists = (api: ApiServer) => api.requests.filter((request) => !request.watch);
const watches = (api: ApiServer) => api.requests.filter((request) => request.watch);

/** Serves these lists one after the other (the last one for ever) and hands out every watch that is opened. */
function serving(streams: ServerResponse[], ...contents: readonly (readonly [string, readonly object[]])[]): Answer {
  let listed = 0;
  return (request, response) => {
    if (request.watch) {
      openWatch(response);
      streams.push(response);
      return;
    }
    const [version = "", items = []] = contents[Math.min(listed, contents.length - 1)] ?? [];
    listed += 1;
    list(response, version, items);
  };
}

const stream = (streams: readonly ServerResponse[], index: number): Promise<ServerResponse> =>
  eventually(
    `stream ${index}`,
    () => streams[index] ?? null,
    () => `${streams.length} streams`,
  );

describe("versions", () => {
  test("frames that a server sends once more change nothing, not even for a moment", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", []]));
    const first = await stream(streams, 0);
    frame(first, "ADDED", node("a", "10"));
    frame(first, "MODIFIED", node("a", "11", [TAINT]));
    await watched.until("the taint", (model) => model.nodes.get("a")?.taints.length === 1);
    await pass(6_000);
    first.end();
    const second = await stream(streams, 1);
    const before = watched.models.length;
    frame(second, "ADDED", node("a", "10"));
    await pass(2_000);
    frame(second, "MODIFIED", node("a", "11", [TAINT]));
    await pass(2_000);
    expect(watched.models.slice(before).map(names)).toEqual([]);
  });

  test("a deletion that carries the version of the last change is a deletion", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", []]));
    const watch = await stream(streams, 0);
    frame(watch, "ADDED", node("a", "10"));
    await watched.until("a", (model) => names(model) === "a");
    frame(watch, "DELETED", node("a", "10"));
    await watched.until("a gone", (model) => names(model) === "");
  });

  test("what was never seen is deleted, and what is known is added, without harm", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", [node("a", "1")]]));
    const watch = await stream(streams, 0);
    frame(watch, "DELETED", node("unknown", "10"));
    frame(watch, "ADDED", node("a", "11", [TAINT]));
    frame(watch, "MODIFIED", node("new", "12"));
    await watched.until("all", (model) => names(model) === "a new" && model.nodes.get("a")?.taints.length === 1);
  });

  test("bookmarks that lead backwards mean a restored storage: listed again", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving(streams, ["5000", [node("a", "1")]], ["40", [node("b", "2")]]));
    const watch = await stream(streams, 0);
    bookmark(watch, "38");
    await watched.until("b alone", (model) => names(model) === "b");
    await stream(streams, 1);
    expect(lists(api)).toHaveLength(2);
    expect(watches(api).at(-1)?.query.get("resourceVersion")).toBe("40");
  });

  test("versions that are no numbers are only passed on", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving(streams, ["z-9", [node("a", "1")]]));
    const watch = await stream(streams, 0);
    bookmark(watch, "a-1");
    await pass(6_000);
    watch.end();
    await stream(streams, 1);
    expect(watches(api)[1]?.query.get("resourceVersion")).toBe("a-1");
    expect(lists(api)).toHaveLength(1);
    expect(watched.cluster.model.origin).toBe("live");
  });

  test("a version that is too large for the server is given up at once", async () => {
    const message = "Too large resource version: 5000, current: 40";
    let listed = 0;
    const { api, watched } = await start((request, response) => {
      if (!request.watch) {
        listed += 1;
        return list(response, listed === 1 ? "5000" : "40", [node(listed === 1 ? "a" : "b", "1")]);
      }
      if (request.query.get("resourceVersion") === "5000") return status(response, 504, "Timeout", message);
      openWatch(response);
    });
    await watched.until("b", (model) => names(model) === "b");
    await watched.untilState("nodes", "watching");
    expect(watches(api)).toHaveLength(2);
  });
});

describe("errors in a stream", () => {
  test("an ERROR frame of another code counts as a failure: the stream resumes from the last version", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving(streams, ["9", [node("a", "1")]]));
    const watch = await stream(streams, 0);
    frame(watch, "MODIFIED", node("a", "12", [TAINT]));
    frame(watch, "ERROR", { kind: "Status", code: 500, reason: "InternalError", message: "etcd leader changed" });
    frame(await stream(streams, 1), "ADDED", node("b", "13"));
    await watched.until("b", (model) => names(model) === "a b");
    expect(watches(api)[1]?.query.get("resourceVersion")).toBe("12");
    expect(lists(api)).toHaveLength(1);
  });

  test("an ERROR frame that asks for patience is given it", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", [node("a", "1")]]));
    const busy = { code: 429, reason: "TooManyRequests", message: "slow down", details: { retryAfterSeconds: 300 } };
    frame(await stream(streams, 0), "ERROR", { kind: "Status", ...busy });
    expect(await watched.untilState("nodes", "waiting")).toBe("the server is busy: slow down");
    const { nextAttempt } = watched.cluster.states.get("nodes") ?? {};
    expect((nextAttempt ?? 0) - watched.clock.now()).toBeGreaterThan(60_000);
  });

  test("streams that are cut after a healthy life are opened again at once, however often", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", [node("a", "1")]]));
    for (let cuts = 0; cuts < 12; cuts += 1) {
      const watch = await stream(streams, cuts);
      frame(watch, "MODIFIED", node("a", `${cuts + 10}`, cuts % 2 === 0 ? [TAINT] : []));
      await pass(8_000);
      watch.destroy();
      await stream(streams, cuts + 1);
      expect((watched.cluster.states.get("nodes")?.nextAttempt ?? 0) - watched.clock.now()).toBeLessThan(2_000);
    }
  });

  test("410s with healthy streams between them never make a resource poll", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving(streams, ["9", [node("a", "1")]]));
    for (let expired = 0; expired < 5; expired += 1) {
      const watch = await stream(streams, expired);
      await pass(8_000);
      frame(watch, "ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
    }
    await stream(streams, 5);
    expect(lists(api)).toHaveLength(6);
    await watched.untilState("nodes", "watching");
  });

  test.each([
    ["a type that nobody knows", '{"type":"RENAMED","object":{"metadata":{"name":"b"}}}\n'],
    ["no object", '{"type":"ADDED"}\n'],
    ["no JSON", "upstream connect error\n"],
  ])("a whole line with %s: listed again, and nothing is lost", async (_what, line) => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving(streams, ["9", [node("a", "1")]], ["20", [node("b", "2")]]));
    (await stream(streams, 0)).write(line);
    await watched.until("b alone", (model) => names(model) === "b");
  });
});

describe("lists", () => {
  const page = (response: ServerResponse, version: string, items: readonly object[], next: string): void => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "NodeList", metadata: { resourceVersion: version, continue: next }, items }));
  };

  test("a server may page unasked: all pages are one list", async () => {
    const { api, watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      const from = request.query.get("continue");
      if (from === null) page(response, "10", [node("a", "1")], "two");
      else if (from === "two") page(response, "10", [node("b", "2")], "three");
      else page(response, "10", [node("c", "3")], "");
    });
    await watched.until("all", (model) => names(model) === "a b c");
    expect(lists(api)).toHaveLength(3);
  });

  test("a continue token that expires between two pages starts the list anew; half of it is never shown", async () => {
    let tries = 0;
    const { watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      if (request.query.get("continue") === null) {
        tries += 1;
        return tries === 1
          ? page(response, "10", [node("a", "1")], "two")
          : page(response, "20", [node("a", "1"), node("b", "2")], "");
      }
      status(response, 410, "Expired", "The provided continue parameter is too old");
    });
    await watched.until("both", (model) => names(model) === "a b");
    expect(watched.models.filter((model) => model.parts.nodes === "known").map(names)).not.toContain("a");
  });

  test.each([
    ["null items", '{"kind":"NodeList","metadata":{"resourceVersion":"7"},"items":null}'],
    ["keys in another order", '{"items":[],"metadata":{"resourceVersion":"7"},"kind":"NodeList"}'],
  ])("an empty list with %s is a list", async (_what, body) => {
    const { watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.end(body);
    });
    const model = await watched.until("known", (seen) => seen.parts.nodes === "known");
    expect(names(model)).toBe("");
  });

  test("a gateway's sign-in page with status 200 is quoted, and nothing is concluded from it", async () => {
    const { watched } = await start((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<html><body>Please sign in</body></html>");
    });
    expect(await watched.untilState("nodes", "waiting")).toBe(
      "the answer is damaged (an answer that is no list: <html><body>Please sign in</body></html>); the list is read again",
    );
    expect(watched.cluster.model.parts.nodes).not.toBe("known");
  });

  test("a redirect within the server is followed; one to somewhere else is named", async () => {
    const { watched } = await start((request, response) => {
      if (!request.path.startsWith("/moved")) {
        response.writeHead(307, { location: `/moved${request.path}?${request.query}` });
        response.end();
      } else if (request.watch) openWatch(response);
      else list(response, "10", [node("a", "1")]);
    });
    await watched.until("a", (model) => names(model) === "a");
    await watched.stop();
    server?.answer((_request, response) => {
      response.writeHead(302, { location: "https://login.example/start?state=secret" });
      response.end();
    });
    const away = follow(server?.url ?? "");
    expect(await away.untilState("nodes", "waiting")).toBe(
      `${server?.url}: it sends us on to https://login.example/start; a gateway in front of it may want a person to sign in`,
    );
    await away.stop();
  });
});

describe("what is held", () => {
  test("a whole list now and then corrects what the server's watch never told", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(
      serving(streams, ["9", [node("a", "1"), node("b", "2")]], ["30", [node("a", "1")]]),
      {
        limits: { silence: 5_000, deadline: 2_000, resync: 20_000 },
      },
    );
    for (let rounds = 0; lists(api).length < 2; rounds += 1) {
      const watch = await stream(streams, rounds);
      await pass(8_000);
      watch.end();
      await stream(streams, rounds + 1);
    }
    await watched.until("a alone", (model) => names(model) === "a");
  });

  test("of events in their tens of thousands the newest are held", async () => {
    const event = (index: number): object => ({
      kind: "Event",
      metadata: { name: `e${index}`, namespace: "d", uid: `u${index}` },
      involvedObject: { kind: "Pod", namespace: "d", name: "p" },
      type: "Warning",
      reason: "FailedMount",
      lastTimestamp: new Date(Date.UTC(2026, 2, 2) + index * 1000).toISOString(),
    });
    const events = Array.from({ length: 30_000 }, (_, index) => event(index));
    const { watched } = await start(
      (request, response) => (request.watch ? openWatch(response) : list(response, "10", events)),
      { resources: ["events-warning"], limits: { silence: 30_000, deadline: 30_000 } },
    );
    const model = await watched.until("events", (seen) => seen.events.length > 0);
    expect(model.events.length).toBeLessThanOrEqual(10_000);
    expect(Math.max(...model.events.map(({ lastSeen }) => lastSeen ?? 0))).toBe(Date.UTC(2026, 2, 2) + 29_999_000);
  });
});

describe("the way", () => {
  test("lists and watches may come compressed, event by event", async () => {
    const { watched } = await start((request, response) => {
      response.setHeader("content-type", "application/json");
      response.setHeader("content-encoding", "gzip");
      if (!request.watch) {
        const body = { kind: "NodeList", metadata: { resourceVersion: "9" }, items: [node("a", "1")] };
        response.end(gzipSync(JSON.stringify(body)));
        return;
      }
      const zipped = createGzip();
      zipped.pipe(response);
      zipped.write(`${JSON.stringify({ type: "ADDED", object: node("b", "10") })}\n`);
      zipped.flush();
    });
    await watched.until("both", (model) => names(model) === "a b");
  });

  test("a compressed list that breaks off is never taken for all there is", async () => {
    let tries = 0;
    const { watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      tries += 1;
      const items = [node("a", "1"), node("b", "2")];
      if (tries > 1) return list(response, "10", items);
      response.setHeader("content-type", "application/json");
      response.setHeader("content-encoding", "gzip");
      const whole = gzipSync(JSON.stringify({ kind: "NodeList", metadata: { resourceVersion: "9" }, items }));
      response.end(whole.subarray(0, whole.length - 12));
    });
    await watched.until("both", (model) => names(model) === "a b");
    expect(watched.models.filter((model) => model.parts.nodes === "known").map(names)).toEqual(["a b"]);
  });

  test("a kept connection that the server ends as it is used again is no failure", async () => {
    const states = new Set<string>();
    let asked = 0;
    const { api, watched } = await start((request, response) => {
      asked += 1;
      // Every second request finds its connection ended: that is what a keep-alive timeout looks like.
      if (asked % 2 === 0) return response.socket?.destroy();
      if (!request.watch) return list(response, "10", [node("a", "1")]);
      openWatch(response);
    });
    const unwatch = setInterval(() => states.add(watched.cluster.states.get("nodes")?.problem ?? ""), 1);
    await watched.untilState("nodes", "watching");
    clearInterval(unwatch);
    expect(api.requests.map((request) => request.watch)).toEqual([false, true, true]);
    expect([...states]).toEqual([""]);
  });

  test.each([
    ["seconds", () => "7"],
    ["a date", () => new Date(Date.now() + 7_000).toUTCString()],
  ])("503 with a Retry-After in %s is waited for, and called busy", async (_form, retryAfter) => {
    const { api, watched } = await start(
      (request, response) => {
        if (request.path.endsWith("/nodes"))
          return status(response, 503, "ServiceUnavailable", "starting", { "retry-after": retryAfter() });
        if (request.watch) return openWatch(response);
        list(response, "10", []);
      },
      { resources: ["nodes", "daemonsets", "pods"] },
    );
    expect(await watched.untilState("nodes", "waiting")).toBe("the server is busy: starting");
    expect(api.requests.filter((request) => request.path.endsWith("/nodes"))).toHaveLength(1);
  });

  test("a server that refuses everybody while it starts is read as soon as it has its roles", async () => {
    const streams: ServerResponse[] = [];
    let starting = 3;
    const { watched } = await start((request, response) => {
      if (starting === 0) return serving(streams, ["9", [node("a", "1")]])(request, response);
      starting -= 1;
      status(response, 403, "Forbidden", 'User "dev" cannot list resource "nodes"');
    });
    const begun = watched.clock.now();
    await watched.until("a", (model) => names(model) === "a");
    expect(watched.clock.now() - begun).toBeGreaterThan(2_000 + 8_000);
  });

  test("a port that opens later is found without anybody asking", async () => {
    const early = await startApiServer(() => undefined);
    await early.stop();
    following = follow(early.url);
    await following.untilState("nodes", "waiting");
    server = await startApiServer(serving([], ["10", [node("a", "1")]]), undefined, early.port);
    const model = await following.until("live", (seen) => seen.origin === "live");
    expect(names(model)).toBe("a");
  });
});
