// Asking a kubelet through the API server: what comes of every answer that kubelets, API servers and what lies between
// were seen to give. The bodies of a kubelet's refusals are those of kubelet 1.37 with the feature switched off.
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CredentialSource } from "../../server/src/cluster/live/credentials/credential.ts";
import { FixedCredential } from "../../server/src/cluster/live/credentials/fixed.ts";
import { type NodeProxyLimits, readOnNode } from "../../server/src/cluster/live/node-proxy/node-proxy.ts";
import { ApiClient } from "../../server/src/cluster/live/transport/api-client.ts";
import type { Asked, OnNodeQuestions, OnNodeReading } from "../../server/src/cluster/on-node.ts";
import { type Answer, type ApiServer, startApiServer, status } from "./api-server.ts";

const SINCE = Date.parse("2026-04-14T09:00:00Z");
const QUESTIONS: OnNodeQuestions = {
  node: "n1",
  from: SINCE,
  kubelet: { units: ["kubelet"], pattern: "(?i)^[EF]|oom", since: SINCE, lines: 100 },
  runtime: { units: ["containerd"], pattern: "error", since: SINCE, lines: 100 },
};
const LIMITS: NodeProxyLimits = {
  stats: { bytes: 64 * 1024, deadline: 400 },
  log: { bytes: 4 * 1024, deadline: 400 },
};
const SUMMARY = { node: { nodeName: "n1", memory: { availableBytes: 5, workingSetBytes: 7 } }, pods: [] };
const LISTING =
  '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="/api/v1/nodes/n1/proxy/logs/dpkg.log">dpkg.log</a>\n</pre>\n';
const TO_FILES = "\noptions present and query resolved to log files for [kubelet]\ntry without specifying options\n";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer(() => undefined);
});
afterEach(() => server.stop());

function client(credentials: CredentialSource = new FixedCredential({ authorization: "Bearer t" })): ApiClient {
  const tls = { ca: null, cert: null, key: null, serverName: "", skipVerify: false };
  return new ApiClient({ server: new URL(server.url), tls, proxy: null, proxyFrom: "" }, credentials, Date.now);
}

const ask = (of: ApiClient = client(), signal = new AbortController().signal): Promise<OnNodeReading> =>
  readOnNode(of, QUESTIONS, Date.now, signal, LIMITS);

/** The outcome in a line. */
function told(asked: Asked<unknown> | null): string {
  if (asked === null) return "not asked";
  return asked.kind === "answered" ? "answered" : `${asked.kind}: ${asked.reason}`;
}

/** Answers the summary with `stats` and the logs with `logs`. */
const serve = (stats: Answer, logs: Answer): void =>
  server.answer((request, response) => (request.path.endsWith("/stats/summary") ? stats : logs)(request, response));
const kubelet =
  (code: number, body: string, type = "text/plain; charset=utf-8"): Answer =>
  (_request, response) => {
    response.writeHead(code, { "content-type": type });
    response.end(body);
  };
const summary = kubelet(200, JSON.stringify(SUMMARY), "application/json");
const log = (body: string): Answer => kubelet(200, body, "text/plain;charset=UTF-8");
const refuses =
  (code: number, reason: string, message: string): Answer =>
  (_request, response: ServerResponse) =>
    status(response, code, reason, message);

describe("what is asked", () => {
  it("are the two paths, with units, pattern, since and the newest lines", async () => {
    serve(summary, log("-- No entries --\n"));
    await ask();
    expect(server.requests.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual(
      expect.arrayContaining([
        ["/api/v1/nodes/n1/proxy/stats/summary", {}],
        [
          "/api/v1/nodes/n1/proxy/logs/",
          { query: "kubelet", pattern: "(?i)^[EF]|oom", sinceTime: "2026-04-14T09:00:00Z", tailLines: "100" },
        ],
        [
          "/api/v1/nodes/n1/proxy/logs/",
          { query: "containerd", pattern: "error", sinceTime: "2026-04-14T09:00:00Z", tailLines: "100" },
        ],
      ]),
    );
    expect(server.requests).toHaveLength(3);
  });
});

describe("a kubelet that answers", () => {
  it("gives its measures and lines, without what journalctl says around them", async () => {
    serve(
      summary,
      log("-- Boot 0123 --\nApr 14 10:00:00 n1 kubelet[1]: E boom\n\nApr 14 09:59:00 n1 kubelet[1]: oom\n"),
    );
    const reading = await ask();
    expect(reading.stats).toMatchObject({
      kind: "answered",
      value: { stats: { memory: { availableBytes: 5, workingSetBytes: 7 } } },
    });
    expect(reading.kubelet).toEqual({
      kind: "answered",
      value: {
        lines: ["Apr 14 10:00:00 n1 kubelet[1]: E boom", "Apr 14 09:59:00 n1 kubelet[1]: oom"],
        truncated: false,
      },
    });
  });
  it("may compress its log", async () => {
    serve(summary, (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain;charset=UTF-8", "content-encoding": "gzip" });
      response.end(gzipSync("one line\n"));
    });
    expect((await ask()).kubelet).toMatchObject({ value: { lines: ["one line"] } });
  });
  it("has nothing to say: that is an answer", async () => {
    serve(summary, log("-- No entries --\n"));
    expect((await ask()).kubelet).toEqual({ kind: "answered", value: { lines: [], truncated: false } });
  });
  it("knows one of two units, as on a k3s server", async () => {
    serve(summary, log(`-- No entries --\n${TO_FILES}`));
    expect((await ask()).kubelet).toEqual({ kind: "answered", value: { lines: [], truncated: false } });
  });
  it("without pattern matching in journalctl is asked again without a pattern", async () => {
    serve(summary, (request, response) =>
      log(request.query.has("pattern") ? "Compiled without pattern matching support\n" : "E boom\n")(request, response),
    );
    expect((await ask()).kubelet).toMatchObject({ value: { lines: ["E boom"] } });
  });
});

describe("a log that is too much", () => {
  const line = (index: number) => `Apr 14 10:00:00 n1 kubelet[1]: E line ${index}\n`;
  it("is read up to the limit, whole lines only, and the connection is closed", async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    let open = true;
    serve(summary, (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.on("close", () => {
        open = false;
        closed.resolve();
      });
      const more = (): void => {
        while (open && response.write(line(sent))) sent += 1;
        if (open) response.once("drain", more);
      };
      more();
    });
    const { kubelet: asked } = await ask();
    if (asked.kind !== "answered") throw new Error(told(asked));
    expect(asked.value.truncated).toBe(true);
    expect(asked.value.lines.join("\n").length).toBeLessThanOrEqual(LIMITS.log.bytes);
    expect(asked.value.lines.at(-1)).toMatch(/line \d+$/);
    await closed.promise;
  });
  it("that never ends is left at its deadline with what came", async () => {
    serve(summary, (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write(line(1));
    });
    expect((await ask()).kubelet).toMatchObject({
      kind: "answered",
      value: { lines: [line(1).trimEnd()], truncated: true },
    });
  });
  it("that breaks off keeps what came", async () => {
    serve(summary, (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "1000" });
      response.write(`${line(1)}${line(2)}half a li`, () => response.destroy());
    });
    expect((await ask()).kubelet).toMatchObject({ value: { truncated: true } });
  });
});

describe("not enabled on this node", () => {
  it.each([
    [
      "the log query is off: a listing of /var/log, links rewritten by the API server",
      kubelet(200, LISTING, "text/html; charset=utf-8"),
      "not enabled: The kubelet of n1 answers a log query with a listing of /var/log: its log query is off (enableSystemLogQuery, by default false; before 1.36 also the feature gate NodeLogQuery).",
    ],
    [
      "the log handler is off",
      kubelet(405, "logs endpoint is disabled.\n"),
      "not enabled: The kubelet of n1 does not serve it (405): logs endpoint is disabled. Its configuration has enableSystemLogHandler: false.",
    ],
    [
      "all debugging handlers are off",
      kubelet(405, "Debug endpoints are disabled.\n"),
      "not enabled: The kubelet of n1 does not serve it (405): Debug endpoints are disabled. Its configuration has enableDebuggingHandlers: false.",
    ],
    [
      "a virtual kubelet knows no such path",
      kubelet(404, "404 page not found\n"),
      "not enabled: The kubelet of n1 does not serve it (404): 404 page not found.",
    ],
    [
      "there is no journal of the unit",
      log(TO_FILES),
      "not enabled: The kubelet of n1 finds no journal of this unit: it logs to a file, has another name, or the kubelet has no journalctl.",
    ],
    [
      "there is no journal at all",
      log("No journal files were found.\n-- No entries --\n"),
      "not enabled: n1 keeps no journal that journalctl finds.",
    ],
  ])("%s", async (_what, answer, expected) => {
    serve(summary, answer);
    const reading = await ask();
    expect(told(reading.kubelet)).toBe(expected);
    expect(reading.stats.kind).toBe("answered");
  });
});

describe("not allowed", () => {
  it("names the right that is missing", async () => {
    const message =
      'nodes "n1" is forbidden: User "reader" cannot get resource "nodes/proxy" in API group "" at the cluster scope';
    serve(refuses(403, "Forbidden", message), refuses(403, "Forbidden", message));
    const reading = await ask();
    const expected = `not allowed: ${message}. The right is get on nodes/proxy: docs/rbac-node-proxy.yaml, which says why it is a privileged one.`;
    expect([told(reading.stats), told(reading.kubelet), told(reading.runtime)]).toEqual([expected, expected, expected]);
  });
  it("does not charge the kubelet with what a gateway on the way refuses", async () => {
    serve(summary, kubelet(403, "<h1>Access denied by policy</h1>", "text/html"));
    expect(told((await ask()).kubelet)).toBe(
      "not allowed: Somebody between here and the kubelet of n1 refuses (403): <h1>Access denied by policy</h1>.",
    );
  });
  it("tells the API server's missing right from the user's", async () => {
    serve(summary, kubelet(403, "Forbidden (user=kube-apiserver, verb=get, resource=nodes, subresource(s)=[log])\n"));
    expect(told((await ask()).kubelet)).toBe(
      "not allowed: The kubelet of n1 refuses the API server itself, not you: Forbidden (user=kube-apiserver, verb=get, resource=nodes, subresource(s)=[log]). The API server's user needs the ClusterRole system:kubelet-api-admin.",
    );
  });
});

describe("failed", () => {
  const REACH = "error trying to reach service: ";
  it.each([
    [
      503,
      `${REACH}dial tcp 10.0.0.7:10250: i/o timeout`,
      /^The API server cannot reach the kubelet of n1: the node is down/,
    ],
    [503, `${REACH}dial tcp 10.0.0.7:10250: connect: connection refused`, /^Nothing listens on the kubelet's port/],
    [503, `${REACH}remote error: tls: internal error`, /^The kubelet has no serving certificate.*kubectl get csr/],
    [
      503,
      `${REACH}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
      /^The API server does not trust the kubelet's certificate/,
    ],
    [
      503,
      `${REACH}tls: failed to verify certificate: x509: certificate has expired or is not yet valid`,
      /^The kubelet's serving certificate has expired/,
    ],
    [503, `${REACH}No agent available`, /^The tunnel between the API server and the nodes/],
    [504, "the server was unable to return a response in the time allotted", /^the server was unable to return/],
    [500, "no preferred addresses found; known addresses: []", /^n1 has no address in its status/],
    [400, "address not allowed", /^The node's address is one that the API server never connects to/],
    [404, 'nodes "n1" not found', /^nodes "n1" not found\.$/],
    [429, "too many requests", /^The API server is busy/],
  ])("%i %s", async (code, message, expected) => {
    serve(refuses(code, "Some", message), summary);
    const { stats } = await ask();
    expect(stats.kind === "failed" && stats.reason).toMatch(expected);
  });
  it.each([
    [
      "an error of the kubelet",
      kubelet(500, "Internal Error: failed to get imageFs stats"),
      "n1 answered 500: Internal Error: failed to get imageFs stats.",
    ],
    [
      "a page of a gateway",
      kubelet(502, "<html>\n<h1>Bad Gateway</h1>", "text/html"),
      "n1 answered 502: <html> <h1>Bad Gateway</h1>.",
    ],
    ["something else than a summary", kubelet(200, "{}", "application/json"), "The answer of n1 is no stats/summary."],
    ["no JSON", kubelet(200, "hello"), "The answer of n1 is no stats/summary."],
    [
      "a summary without end",
      kubelet(200, `{"node": {"nodeName": "${"n".repeat(70_000)}"}}`),
      "The answer of n1 broke off or is too large.",
    ],
  ])("%s", async (_what, answer, expected) => {
    serve(answer, summary);
    expect(told((await ask()).stats)).toBe(`failed: ${expected}`);
  });
  it("when nothing answers in time", async () => {
    serve(
      () => undefined,
      () => undefined,
    );
    const silence =
      "failed: The kubelet of n1 gave no answer through the API server within 0.4 s: the node is down or hangs, its network is, or a firewall stands between.";
    const { stats, kubelet: asked, runtime } = await ask();
    expect([told(stats), told(asked), told(runtime)]).toEqual([silence, silence, silence]);
  });
  it("is told of the logs too, and at once, when the node cannot be reached", async () => {
    serve(
      refuses(503, "ServiceUnavailable", `${REACH}dial tcp 10.0.0.7:10250: connect: connection refused`),
      () => undefined,
    );
    const { stats, kubelet: asked } = await ask();
    expect(told(asked)).toBe(told(stats));
    expect(server.connections().open).toBeLessThanOrEqual(3);
  });
  it("does not speak for the logs when the kubelet itself has no measures", async () => {
    serve(kubelet(500, "Internal Error: failed to get imageFs stats"), log("E boom\n"));
    expect(told((await ask()).kubelet)).toBe("answered");
  });
  it("when the server is gone", async () => {
    await server.stop();
    expect(told((await ask()).stats)).toContain("nothing listens there (connection refused).");
  });
});

describe("the cluster that is followed", () => {
  it("keeps its credentials when a kubelet does not accept the API server's", async () => {
    serve(kubelet(401, "Unauthorized"), kubelet(401, "Unauthorized"));
    let dropped = 0;
    const fixed = new FixedCredential({ authorization: "Bearer t" });
    const of = client({
      current: () => fixed.current(),
      renewable: () => true,
      drop: () => {
        dropped += 1;
      },
      expires: () => null,
    });
    expect(told((await ask(of)).stats)).toMatch(
      /^failed: The kubelet of n1 does not accept the API server's client certificate/,
    );
    expect(dropped).toBe(0);
    server.answer((_request, response) => response.end("{}"));
    await expect(of.get("/api/v1/nodes", "application/json", 400, new AbortController().signal)).resolves.toMatchObject(
      {
        status: 200,
      },
    );
  });
  it("renews a credential that the API server itself refuses", async () => {
    let token = "old";
    server.answer((request, response) => {
      if (request.headers.authorization === "Bearer old") return status(response, 401, "Unauthorized", "Unauthorized");
      return summary(request, response);
    });
    const of = client({
      current: async () => ({ headers: { authorization: `Bearer ${token}` }, clientCertificate: null }),
      renewable: () => true,
      drop: () => {
        token = "new";
      },
      expires: () => null,
    });
    expect(told((await ask(of)).stats)).toBe("answered");
  });
  it("does not take the clock of a node for the API server's, and tells how far it is off", async () => {
    serve((request, response) => {
      response.sendDate = false;
      response.setHeader("date", new Date(Date.now() + 600_000).toUTCString());
      summary(request, response);
    }, log(""));
    const of = client();
    const { stats } = await ask(of);
    expect(of.clockSkew).toBe(0);
    expect(stats.kind === "answered" && stats.value.clockAhead).toBeGreaterThan(590_000);
  });
});

it("ends when nobody waits any more", async () => {
  const stop = new AbortController();
  serve(
    () => stop.abort(),
    () => undefined,
  );
  await expect(ask(client(), stop.signal)).rejects.toThrow("aborted");
});
