// Lists and watches against a stand-in server that fails in the ways real ones do.
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import {
  type Credential,
  CredentialError,
  type CredentialSource,
} from "../../server/src/cluster/live/credentials/credential.ts";
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
  following = follow(server.url, options);
  return { api: server, watched: following };
}

const names = (model: ClusterModel): string => [...model.nodes.keys()].join(" ");
const taints = (model: ClusterModel, name: string): string =>
  (model.nodes.get(name)?.taints ?? []).map((taint) => taint.key).join(" ");

/** Serves one list, then keeps every watch open and hands it to the test. */
function serving(version: string, items: readonly object[], streams: ServerResponse[]): Answer {
  return (request, response) => {
    if (!request.watch) list(response, version, items);
    else {
      openWatch(response);
      streams.push(response);
    }
  };
}

async function stream(streams: readonly ServerResponse[], index: number): Promise<ServerResponse> {
  for (;;) {
    const found = streams[index];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a healthy server", () => {
  test("a list, then its changes, each in a model of its own", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving("10", [node("a", "1"), node("b", "2")], streams));
    await watched.until("both nodes", (model) => names(model) === "a b");
    const watch = await stream(streams, 0);
    frame(watch, "MODIFIED", node("a", "11", [TAINT]));
    frame(watch, "DELETED", node("b", "12"));
    frame(watch, "ADDED", node("c", "13"));
    const model = await watched.until(
      "a tainted, b gone, c new",
      (seen) => names(seen) === "a c" && taints(seen, "a") === "dedicated",
    );
    expect(model).toMatchObject({ origin: "live", parts: { nodes: "known", pods: "missing" } });
    expect(api.requests[1]?.query.get("resourceVersion")).toBe("10");
    expect(api.requests[1]?.query.get("allowWatchBookmarks")).toBe("true");
  });

  test("what changes nothing that is used makes no new model: the same frames again, managed fields, a heartbeat", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving("10", [node("a", "1")], streams));
    await watched.until("the node", (model) => names(model) === "a");
    const watch = await stream(streams, 0);
    const before = watched.models.length;
    frame(watch, "MODIFIED", {
      ...node("a", "11"),
      metadata: { name: "a", uid: "uid-a", resourceVersion: "11", managedFields: [{ manager: "kubelet" }] },
    });
    frame(watch, "MODIFIED", node("a", "12", [], "2026-03-02T10:05:00Z"));
    frame(watch, "ADDED", node("a", "12", [], "2026-03-02T10:05:00Z"));
    await pass(20_000);
    expect(watched.models.length).toBe(before);
    frame(watch, "MODIFIED", node("a", "13", [TAINT], "2026-03-02T10:05:00Z"));
    const model = await watched.until("the taint", (seen) => taints(seen, "a") === "dedicated");
    expect(model.nodes.get("a")?.conditions[0]?.lastHeartbeatTime).toBe(Date.parse("2026-03-02T10:05:00Z"));
  });

  test("a watch that ends resumes from the last version, bookmarks included, without a new list", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving("10", [node("a", "1")], streams));
    const watch = await stream(streams, 0);
    bookmark(watch, "40");
    await pass(6_000);
    watch.end();
    await stream(streams, 1);
    expect(api.requests.map((request) => [request.watch, request.query.get("resourceVersion")])).toEqual([
      [false, null],
      [true, "10"],
      [true, "40"],
    ]);
    expect(watched.cluster.model.origin).toBe("live");
  });
});

describe("broken streams", () => {
  test("a stream that goes silent is closed and resumed", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving("10", [node("a", "1")], streams));
    await watched.until("the node", (model) => names(model) === "a");
    const second = await stream(streams, 1);
    frame(second, "ADDED", node("b", "11"));
    await watched.until("b from the second stream", (model) => names(model) === "a b");
  });

  test("a frame that is cut off resumes from the last whole version: the deletion arrives then", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving("10", [node("a", "1"), node("b", "2")], streams));
    const first = await stream(streams, 0);
    frame(first, "MODIFIED", node("a", "11", [TAINT]));
    first.write('{"type":"DELETED","object":{"metadata":{"name":"b","resour');
    await watched.until("the taint", (model) => taints(model, "a") === "dedicated");
    first.destroy();
    const second = await stream(streams, 1);
    frame(second, "DELETED", node("b", "12"));
    await watched.until("b gone", (model) => names(model) === "a");
    expect(api.requests.at(-1)?.query.get("resourceVersion")).toBe("11");
    expect(api.requests.filter((request) => !request.watch)).toHaveLength(1);
  });

  test("a gateway's page in place of the stream is a broken stream: listed again", async () => {
    let pages = 0;
    const { api, watched } = await start((request, response) => {
      if (!request.watch) list(response, "10", pages === 0 ? [node("a", "1")] : [node("a", "1"), node("b", "2")]);
      else if (pages === 0) {
        pages += 1;
        response.end("<html>\n<body>Bad gateway</body>\n</html>\n");
      } else openWatch(response);
    });
    await watched.until("b after the second list", (model) => names(model) === "a b");
    expect(api.requests.filter((request) => !request.watch)).toHaveLength(2);
  });

  test("U+2028 inside a string is no line end, and a character may be split between packets", async () => {
    const streams: ServerResponse[] = [];
    const { watched } = await start(serving("10", [], streams));
    const watch = await stream(streams, 0);
    const separator = String.fromCharCode(0x2028);
    const text = `${JSON.stringify({ type: "ADDED", object: { ...node("a", "11"), metadata: { name: "a", labels: { note: `x${separator}漢` } } } })}\n`;
    const bytes = Buffer.from(text, "utf8");
    const cut = bytes.indexOf(Buffer.from("漢", "utf8")) + 1;
    watch.write(bytes.subarray(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 20));
    watch.write(bytes.subarray(cut));
    const model = await watched.until("the node", (seen) => names(seen) === "a");
    expect(model.nodes.get("a")?.labels).toEqual({ note: `x${separator}漢` });
  });

  test("a list that is cut short is never taken for all there is", async () => {
    let tries = 0;
    const { watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      tries += 1;
      if (tries > 1) return list(response, "10", [node("a", "1"), node("b", "2")]);
      response.setHeader("content-type", "application/json");
      response.setHeader("content-length", "5000");
      response.write(
        `{"kind":"NodeList","metadata":{"resourceVersion":"9"},"items":[${JSON.stringify(node("a", "1"))}`,
      );
      setTimeout(() => response.destroy(), 10);
    });
    await watched.until("both nodes", (model) => names(model) === "a b");
    expect(
      watched.models.filter((model) => model.parts.nodes === "known").every((model) => names(model) === "a b"),
    ).toBe(true);
  });
});

describe("refusals", () => {
  test("410 as an answer or as a frame lists again and replaces everything in one step", async () => {
    for (const asFrame of [false, true]) {
      let gone = false;
      const { watched } = await start((request, response) => {
        if (!request.watch) return list(response, gone ? "20" : "10", gone ? [node("b", "2")] : [node("a", "1")]);
        if (gone) return openWatch(response);
        gone = true;
        if (!asFrame) return status(response, 410, "Expired", "too old resource version");
        openWatch(response);
        frame(response, "ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
      });
      await watched.until("only b", (model) => names(model) === "b");
      expect(watched.models.map(names).filter((seen) => seen !== "a" && seen !== "b")).toEqual([]);
      await watched.stop();
      await server?.stop();
    }
  });

  test("a server that expires every version makes the resource poll, visibly", async () => {
    const { api, watched } = await start((request, response) =>
      request.watch ? status(response, 410, "Expired", "too old") : list(response, "10", [node("a", "1")]),
    );
    const problem = await watched.untilState("nodes", "polling");
    expect(problem).toBe("the server expires every version at once; the whole list is read now and then");
    const before = api.requests.length;
    await pass(60_000);
    expect(api.requests.length).toBe(before);
  });

  test("429 waits as told, keeps what is held, and goes on", async () => {
    let busy = 2;
    const { api, watched } = await start((request, response) => {
      if (request.watch) return openWatch(response);
      if (busy > 0) {
        busy -= 1;
        return status(response, 429, "TooManyRequests", "storage is (re)initializing", { "retry-after": "3" });
      }
      list(response, "10", [node("a", "1")]);
    });
    expect(await watched.untilState("nodes", "waiting")).toBe("the server is busy: storage is (re)initializing");
    await watched.until("the node", (model) => names(model) === "a");
    expect(api.requests.filter((request) => !request.watch)).toHaveLength(3);
  });

  test("403 on one kind leaves the others, says who may not, and concludes nothing", async () => {
    const message = 'nodes is forbidden: User "dev" cannot list resource "nodes" in API group "" at the cluster scope';
    const { watched } = await start(
      (request, response) => {
        if (request.path === "/api/v1/nodes") return status(response, 403, "Forbidden", message);
        if (request.watch) return openWatch(response);
        list(response, "10", []);
      },
      { resources: ["nodes", "pods", "daemonsets"] },
    );
    const model = await watched.until("a settled model", (seen) => seen.parts.pods === "known");
    expect(model.parts).toMatchObject({ nodes: "forbidden", pods: "known", daemonsets: "known" });
    expect(await watched.untilState("nodes", "forbidden")).toBe(message);
  });

  test("a right that is taken away takes the objects with it; one that is given back brings them", async () => {
    let allowed = true;
    const streams: ServerResponse[] = [];
    const { watched } = await start(
      (request, response) => {
        if (!allowed) return status(response, 403, "Forbidden", "no longer");
        serving("10", [node("a", "1")], streams)(request, response);
      },
      { limits: { slow: 2_000 } },
    );
    await watched.until("the node", (model) => names(model) === "a");
    const first = await stream(streams, 0);
    allowed = false;
    first.end();
    const model = await watched.until("forbidden", (seen) => seen.parts.nodes === "forbidden");
    expect(names(model)).toBe("");
    allowed = true;
    await watched.until("the node again", (seen) => names(seen) === "a" && seen.parts.nodes === "known");
  });

  test("a group that is not served has no objects, and that is known", async () => {
    const { watched } = await start(
      (request, response) => {
        if (request.path.includes("resource.k8s.io"))
          return status(response, 404, "NotFound", "the server could not find the requested resource");
        if (request.watch) return openWatch(response);
        list(response, "10", [node("a", "1")]);
      },
      { resources: ["nodes", "deviceclasses"] },
    );
    const model = await watched.until("settled", (seen) => seen.parts.nodes === "known");
    expect(model.parts.deviceclasses).toBe("known");
  });

  test("500 for a while: tries get rarer, never two at a time, and it recovers by itself", async () => {
    let broken = true;
    let open = 0;
    let most = 0;
    const { api, watched } = await start((request, response) => {
      open += 1;
      most = Math.max(most, open);
      response.on("close", () => {
        open -= 1;
      });
      if (request.watch) {
        if (broken) return status(response, 500, "InternalError", "boom");
        return openWatch(response);
      }
      list(response, "10", [node("a", "1")]);
    });
    await watched.untilState("nodes", "waiting");
    await pass(60_000);
    expect(api.requests.filter((request) => request.watch).length).toBeLessThan(10);
    broken = false;
    await watched.untilState("nodes", "watching");
    expect(most).toBe(1);
  });
});

describe("credentials", () => {
  class Counting implements CredentialSource {
    runs = 0;
    readonly #tokens: readonly string[];
    #held: Credential | null = null;

    constructor(...tokens: readonly string[]) {
      this.#tokens = tokens;
    }

    current(): Promise<Credential> {
      if (this.#held === null) {
        const token = this.#tokens[Math.min(this.runs, this.#tokens.length - 1)];
        this.runs += 1;
        this.#held = { headers: { authorization: `Bearer ${token}` }, clientCertificate: null };
      }
      return Promise.resolve(this.#held);
    }

    renewable(): boolean {
      return true;
    }

    drop(refused: Credential): void {
      if (this.#held === refused) this.#held = null;
    }

    expires(): number | null {
      return null;
    }
  }

  test("a token that expires while a watch is open is renewed once and the watch goes on", async () => {
    let accepted = "Bearer A";
    const streams: ServerResponse[] = [];
    const credentials = new Counting("A", "B");
    const { watched } = await start(
      (request, response) => {
        if (request.headers.authorization !== accepted) return status(response, 401, "Unauthorized", "Unauthorized");
        serving("10", [node("a", "1")], streams)(request, response);
      },
      { credentials },
    );
    const first = await stream(streams, 0);
    accepted = "Bearer B";
    first.end();
    const second = await stream(streams, 1);
    frame(second, "ADDED", node("b", "11"));
    await watched.until("b", (model) => names(model) === "a b");
    expect(credentials.runs).toBe(2);
  });

  test("a second 401 asks a person, and runs no plugin again until then", async () => {
    const credentials = new Counting("A", "B", "C");
    const { watched } = await start((_request, response) => status(response, 401, "Unauthorized", "Unauthorized"), {
      credentials,
    });
    expect(await watched.untilState("nodes", "sign-in-needed")).toBe(
      "the server does not accept the new credentials either (401): sign in again, then retry",
    );
    await pass(120_000);
    expect(credentials.runs).toBe(2);
    watched.cluster.retryNow();
    await eventually(
      "another run",
      () => (credentials.runs > 2 ? true : null),
      () => `${credentials.runs} runs`,
    );
  });

  test("403 never asks for new credentials", async () => {
    const credentials = new Counting("A", "B");
    const { watched } = await start((_request, response) => status(response, 403, "Forbidden", "no"), { credentials });
    await watched.untilState("nodes", "forbidden");
    expect(credentials.runs).toBe(1);
  });

  test("a plugin that fails is told in its own words", async () => {
    const credentials: CredentialSource = {
      current: () => Promise.reject(new CredentialError("the credential plugin is away")),
      renewable: () => true,
      drop: () => undefined,
      expires: () => null,
    };
    const { watched } = await start((_request, response) => list(response, "1", []), { credentials });
    expect(await watched.untilState("nodes", "sign-in-needed")).toBe("the credential plugin is away");
  });
});

describe("the network", () => {
  test("a first contact that fails is tried again until the server is there", async () => {
    const early = await startApiServer((_request, response) => response.destroy());
    const { url } = early;
    await early.stop();
    following = follow(url);
    expect(await following.untilState("nodes", "waiting")).toMatch(/^http:\/\/127\.0\.0\.1:\d+: nothing listens there/);
    expect(following.cluster.model.origin).toBe("none");
  });

  test("a server that accepts and says nothing is given up after the deadline, and named", async () => {
    const { watched } = await start(() => undefined);
    expect(await watched.untilState("nodes", "waiting")).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+: no answer within 0\.5 s$/,
    );
  });

  test("what was read stays, as a memory with its age, when the server goes away", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving("10", [node("a", "1")], streams));
    const fresh = await watched.until("live", (model) => model.origin === "live");
    await stream(streams, 0);
    await api.stop();
    const old = await watched.until("a memory", (model) => model.origin === "cache");
    expect(names(old)).toBe("a");
    // The server's clock is the machine's, a hundred times slower than the test's: a slow machine is seconds behind.
    expect(old.observedAt).toBeGreaterThanOrEqual((fresh.observedAt ?? 0) - 30_000);
    expect(watched.clock.now() - (old.observedAt ?? 0)).toBeGreaterThan(10_000);
  });

  test("after a sleep everything is listed once more", async () => {
    const streams: ServerResponse[] = [];
    const { api, watched } = await start(serving("10", [node("a", "1")], streams), { limits: { silence: 5_000 } });
    await watched.until("live", (model) => model.origin === "live");
    watched.clock.jump(3_600_000);
    await stream(streams, 1);
    expect(api.requests.filter((request) => !request.watch)).toHaveLength(2);
  });

  test("connections do not grow with requests, and closing leaves none", async () => {
    const { api, watched } = await start((request, response) => {
      if (!request.watch) return list(response, "10", [node("a", "1")]);
      openWatch(response);
      response.end();
    });
    await watched.until("live", (model) => model.origin === "live");
    const descriptors = (): number => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
    const before = descriptors();
    while (api.requests.length < 200) {
      watched.cluster.retryNow();
      await pass(200);
    }
    expect(descriptors()).toBeLessThanOrEqual(before + 8);
    expect(api.connections().open).toBeLessThanOrEqual(2);
    expect(api.connections().opened).toBeLessThanOrEqual(4);
    await watched.stop();
    await pass(2_000);
    expect(api.connections().open).toBe(0);
  });
});

describe("many", () => {
  test("15,000 pods and a storm of changes are given out as a few models", async () => {
    const streams: ServerResponse[] = [];
    const pod = (index: number, phase: string): object => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "d", name: `p${index}`, uid: `u${index}` },
      spec: {
        nodeName: `n${index % 100}`,
        containers: [{ name: "c", image: "i", env: [{ name: "SECRET", value: "s3cret" }] }],
      },
      status: { phase },
    });
    const { watched } = await start(
      serving(
        "10",
        Array.from({ length: 15_000 }, (_, index) => pod(index, "Running")),
        streams,
      ),
      { resources: ["pods"], limits: { silence: 60_000, deadline: 30_000 } },
    );
    const model = await watched.until("all pods", (seen) => seen.pods.length === 15_000);
    expect(JSON.stringify(model.pods[0])).not.toContain("s3cret");
    const watch = await stream(streams, 0);
    const before = watched.models.length;
    for (let index = 0; index < 3_000; index += 1) {
      if (!watch.write(`${JSON.stringify({ type: "MODIFIED", object: pod(index, "Failed") })}\n`))
        await once(watch, "drain");
    }
    await watched.until("every change", (seen) => seen.pods.filter((each) => each.phase === "Failed").length === 3_000);
    expect(watched.models.length - before).toBeLessThan(300);
  }, 120_000);
});
