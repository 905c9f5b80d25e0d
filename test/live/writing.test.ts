// Sending changes: what goes over the wire, once, and what comes of every answer.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FixedCredential } from "../../server/src/cluster/live/credentials/fixed.ts";
import { ApiClient } from "../../server/src/cluster/live/transport/api-client.ts";
import { ApiWriter } from "../../server/src/cluster/live/write/api-writer.ts";
import { ChangePermit } from "../../server/src/cluster/live/write/permit.ts";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly body: string;
}

const NODE = { kind: "Node", namespace: null, name: "rdma-1" } as const;
const PATCH = [{ op: "add", path: "/spec/unschedulable", value: true }] as const;
const { signal } = new AbortController();

let server: Server;
let sent: Sent[] = [];
let answer: (response: ServerResponse, request: IncomingMessage) => void = () => undefined;
let allowed = true;

beforeEach(async () => {
  sent = [];
  allowed = true;
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "", url = "" } = request;
    sent.push({ method, url, type: request.headers["content-type"] ?? "", body });
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function writer(): ApiWriter {
  const { port } = server.address() as AddressInfo;
  const tls = { ca: null, cert: null, key: null, serverName: "", skipVerify: false };
  const endpoint = { server: new URL(`http://127.0.0.1:${port}`), tls, proxy: null, proxyFrom: "" };
  const client = new ApiClient(endpoint, new FixedCredential({ authorization: "Bearer t" }), Date.now);
  return new ApiWriter(client, new ChangePermit(() => allowed));
}

const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
const refuses = (code: number, message: string) => json(code, { kind: "Status", status: "Failure", message, code });

describe("what is sent", () => {
  it("is a JSON patch with our name, dry-run or not", async () => {
    answer = json(200, { kind: "Node" });
    await writer().dryRun(NODE, PATCH, signal);
    await writer().apply({ kind: "DaemonSet", namespace: "kube-system", name: "agent" }, PATCH, signal);
    expect(sent).toEqual([
      {
        method: "PATCH",
        url: "/api/v1/nodes/rdma-1?fieldManager=taintwise&fieldValidation=Strict&dryRun=All",
        type: "application/json-patch+json",
        body: JSON.stringify(PATCH),
      },
      {
        method: "PATCH",
        url: "/apis/apps/v1/namespaces/kube-system/daemonsets/agent?fieldManager=taintwise&fieldValidation=Strict",
        type: "application/json-patch+json",
        body: JSON.stringify(PATCH),
      },
    ]);
  });

  it("is nothing without leave, also where it ended after the writer was made", async () => {
    const made = writer();
    allowed = false;
    for (const result of [await made.read(NODE, signal), await made.apply(NODE, PATCH, signal)]) {
      expect(result).toMatchObject({
        kind: "refused",
        message: expect.stringContaining("taintwise.cluster.allowChanges"),
      });
    }
    expect(sent).toEqual([]);
  });

  it("goes out once, also where the server hangs up without an answer or sends it elsewhere", async () => {
    answer = json(200, { kind: "Node" });
    const made = writer();
    await made.read(NODE, signal);
    answer = (response) => response.socket?.destroy();
    expect(await made.apply(NODE, PATCH, signal)).toMatchObject({ kind: "unreached" });
    answer = (response) => response.writeHead(307, { location: "/api/v1/nodes/rdma-1" }).end();
    expect(await made.apply(NODE, PATCH, signal)).toMatchObject({ kind: "unreached" });
    expect(sent.filter(({ method }) => method === "PATCH")).toHaveLength(2);
  });
});

describe("an answer", () => {
  it.each([
    [403, 'nodes "rdma-1" is forbidden: User "on-call" cannot patch resource "nodes"'],
    [409, "Operation cannot be fulfilled on nodes: the object has been modified"],
    [422, "the server rejected our request due to an error in our request"],
    [400, 'admission webhook "policy.example.com" denied the request: no cordon on Fridays'],
  ])("%i is told in the server's words", async (status, message) => {
    answer = refuses(status, message);
    expect(await writer().apply(NODE, PATCH, signal)).toEqual({ kind: "refused", status, message });
  });

  it("of a gateway is told without its markup", async () => {
    answer = (response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
    expect(await writer().apply(NODE, PATCH, signal)).toEqual({ kind: "refused", status: 502, message: "Bad Gateway" });
  });

  it("keeps the warnings of policies that only warn", async () => {
    answer = json(200, { kind: "Node" }, { warning: '299 - "would violate \\"restricted\\"", 299 - "be careful"' });
    expect(await writer().dryRun(NODE, PATCH, signal)).toMatchObject({
      kind: "object",
      warnings: ['would violate "restricted"', "be careful"],
    });
  });

  it("that breaks off leaves it open whether the change arrived", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"kind":');
      setTimeout(() => response.socket?.destroy(), 20);
    };
    expect(await writer().apply(NODE, PATCH, signal)).toMatchObject({ kind: "unreached" });
  });
});
