// A loopback stand-in for an API server whose every answer the test writes. Speaks JSON, as old servers do.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Identity } from "./certificates.ts";

export interface Request {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly watch: boolean;
  readonly headers: IncomingMessage["headers"];
  /** Common name of the client's certificate; empty without one. */
  readonly client: string;
}

/** How the server proves itself, and whose client certificates it believes (PEM). */
export interface ServerTls extends Identity {
  readonly clientAuthority?: string;
}

export type Answer = (request: Request, response: ServerResponse) => void;

export interface ApiServer {
  readonly url: string;
  readonly port: number;
  /** Every request so far but that for /version, in order. */
  readonly requests: readonly Request[];
  /** Connections that were opened so far, and those open now. */
  connections(): { readonly opened: number; readonly open: number };
  /** From now on requests are answered so. */
  answer(answer: Answer): void;
  stop(): Promise<void>;
}

/**
 * Starts a server; with `tls` it speaks https, and asks for a client certificate where it knows whose to believe. `port`
 * 0: any that is free.
 */
export async function startApiServer(first: Answer, tls?: ServerTls, port = 0): Promise<ApiServer> {
  const requests: Request[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let answer = first;
  const listener: RequestListener = (incoming, response) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    // Asked for once beside the resources; no test is about it but those that answer it themselves.
    if (url.pathname === "/version") {
      response.setHeader("content-type", "application/json");
      response.end('{"major": "1", "minor": "37", "gitVersion": "v1.37.2"}');
      return;
    }
    const request = {
      path: url.pathname,
      query: url.searchParams,
      watch: url.searchParams.get("watch") === "true",
      headers: incoming.headers,
      client: clientName(incoming.socket),
    };
    requests.push(request);
    answer(request, response);
  };
  const asks = { requestCert: tls?.clientAuthority !== undefined, rejectUnauthorized: false };
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer({ cert: tls.cert, key: tls.key, ca: tls.clientAuthority, ...asks }, listener);
  server.on("connection", (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${bound}`,
    port: bound,
    requests,
    connections: () => ({ opened, open: sockets.size }),
    answer: (next) => {
      answer = next;
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function clientName(socket: Socket): string {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return "";
  const { CN } = socket.getPeerCertificate().subject ?? {};
  return typeof CN === "string" ? CN : "";
}

/** A Node in the API's JSON. */
export function node(
  name: string,
  version: string,
  taints: readonly object[] = [],
  heartbeat = "2026-03-02T10:00:00Z",
): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, uid: `uid-${name}`, resourceVersion: version },
    spec: { taints },
    status: { conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: heartbeat }] },
  };
}

export const TAINT = { key: "dedicated", value: "rdma", effect: "NoSchedule" };

/** Answers with a list of the API. */
export function list(response: ServerResponse, version: string, items: readonly object[]): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ kind: "NodeList", apiVersion: "v1", metadata: { resourceVersion: version }, items }));
}

/** Answers with a Status. */
export function status(
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }));
}

/** Opens a watch stream; the response stays open for `frame`. */
export function openWatch(response: ServerResponse): void {
  response.setHeader("content-type", "application/json;stream=watch");
  response.flushHeaders();
}

export function frame(response: ServerResponse, type: string, object: object): void {
  response.write(`${JSON.stringify({ type, object })}\n`);
}

export function bookmark(response: ServerResponse, version: string): void {
  frame(response, "BOOKMARK", { kind: "Node", apiVersion: "v1", metadata: { resourceVersion: version } });
}
