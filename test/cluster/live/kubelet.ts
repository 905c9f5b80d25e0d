// A stand-in for a kubelet's server, reached by the real API server: it answers as kubelet 1.37 was seen to answer.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { createAuthority } from "../../live/certificates.ts";

export interface StandInKubelet {
  readonly address: string;
  readonly port: number;
  /** Method, path and query of every request so far. */
  readonly requests: readonly string[];
  answer(answer: (path: string, response: ServerResponse) => void): void;
  stop(): Promise<void>;
}

/**
 * An address of this machine that the API server connects to: it refuses loopback for nodes. Traffic to it stays on the
 * machine. null where there is none.
 */
export function nodeAddress(): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? null;
}

/** Starts on a free port of `address`, with a certificate of its own that nobody knows. */
export async function startKubelet(address: string): Promise<StandInKubelet> {
  const { cert, key } = createAuthority("kubelet").sign("n1", [address]);
  const requests: string[] = [];
  let answer = (_path: string, response: ServerResponse): void => {
    response.end();
  };
  const server = createServer({ cert, key }, (request: IncomingMessage, response) => {
    const url = request.url ?? "/";
    requests.push(`${request.method} ${decodeURIComponent(url)}`);
    answer(new URL(url, "https://kubelet").pathname, response);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address,
    port,
    requests,
    answer: (next) => {
      answer = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
