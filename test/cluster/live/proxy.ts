// A loopback TCP proxy that a test can make slow, deaf or cut, between the product and a real API server.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface FaultyProxy {
  /** https://127.0.0.1:PORT */
  readonly url: string;
  /** Ends every connection now, in the middle of whatever it carries. */
  cut(): void;
  /** While deaf, connections are accepted and nothing is carried. */
  deaf(on: boolean): void;
  /** Milliseconds that each piece of an answer is held back. */
  slow(milliseconds: number): void;
  /** Cuts the next connection after this many bytes of answers. */
  cutAfter(bytes: number): void;
  stop(): Promise<void>;
}

export async function startProxy(target: string): Promise<FaultyProxy> {
  const { port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let deaf = false;
  let delay = 0;
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((client) => {
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    client.on("error", () => client.destroy());
    if (deaf) return;
    const upstream = connect(Number(targetPort), "127.0.0.1");
    sockets.add(upstream);
    upstream.on("close", () => {
      sockets.delete(upstream);
      client.destroy();
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.pipe(upstream);
    upstream.on("data", (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) {
        left = Number.POSITIVE_INFINITY;
        client.write(piece.subarray(0, Math.floor(piece.length / 2)), () => client.destroy());
        return;
      }
      if (delay === 0) {
        client.write(piece);
        return;
      }
      upstream.pause();
      setTimeout(() => {
        client.write(piece);
        upstream.resume();
      }, delay);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    cut,
    deaf: (on) => {
      deaf = on;
      if (on) cut();
    },
    slow: (milliseconds) => {
      delay = milliseconds;
    },
    cutAfter: (bytes) => {
      left = bytes;
    },
    stop: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
