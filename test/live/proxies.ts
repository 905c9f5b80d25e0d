// Proxies on loopback that know names which nobody else does, and tell what they were asked for.
import { createServer as createHttpServer, type IncomingMessage, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Identity } from "./certificates.ts";

export interface TestProxy {
  readonly port: number;
  /** `host:port` of every tunnel, or the whole URL of every plain request, in order. */
  readonly asked: readonly string[];
  /** Proxy-Authorization of the last request; empty without one. */
  readonly authorization: () => string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** Where the names lead: `api.internal:6443` → a port on loopback. */
  readonly names: Readonly<Record<string, number>>;
  /** Speaks TLS to its clients. */
  readonly tls?: Identity;
  /** Answers every CONNECT with this status instead of opening a tunnel. */
  readonly refuse?: number;
}

/** A proxy for CONNECT and for plain requests in absolute form. */
export async function startHttpProxy({ names, tls, refuse }: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = [];
  let authorization = "";
  const server = tls === undefined ? createHttpServer() : createHttpsServer({ cert: tls.cert, key: tls.key });
  server.on("request", (incoming: IncomingMessage, response) => {
    asked.push(incoming.url ?? "");
    authorization = incoming.headers["proxy-authorization"] ?? "";
    const url = new URL(incoming.url ?? "");
    const port = names[url.host] ?? 1;
    const onward = { port, host: "127.0.0.1", path: url.pathname + url.search, headers: incoming.headers };
    const outgoing = request(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    outgoing.end();
  });
  server.on("connect", (incoming: IncomingMessage, client: Socket) => {
    asked.push(incoming.url ?? "");
    authorization = incoming.headers["proxy-authorization"] ?? "";
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    tunnel(client, names[incoming.url ?? ""] ?? 1, () => client.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  });
  return started(server, asked, () => authorization);
}

/** A SOCKS5 proxy without authentication (RFC 1928): CONNECT by name or IPv4 address. */
export async function startSocksProxy(names: Readonly<Record<string, number>>): Promise<TestProxy> {
  const asked: string[] = [];
  const server = createServer((client) => {
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (question: Buffer) => {
        const byName = question[3] === 3;
        const end = byName ? 5 + (question[4] ?? 0) : 8;
        const host = byName ? question.toString("utf8", 5, end) : [...question.subarray(4, 8)].join(".");
        const target = `${host}:${question.readUInt16BE(end)}`;
        asked.push(target);
        tunnel(client, names[target] ?? 1, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
      });
    });
    client.on("error", () => client.destroy());
  });
  return started(server, asked, () => "");
}

function tunnel(client: Socket, port: number, opened: () => void): void {
  const upstream = connect(port, "127.0.0.1", () => {
    opened();
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.on("error", () => client.destroy());
  upstream.on("close", () => client.destroy());
  client.on("error", () => upstream.destroy());
  client.on("close", () => upstream.destroy());
}

async function started(server: Server, asked: readonly string[], authorization: () => string): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    authorization,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
