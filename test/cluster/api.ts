// A plain client for the test cluster's API server: objects in, objects out.
// Faster than a kubectl for every object, and independent of the product's own
// client, which the tests hold against it.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/** An answer other than 2xx. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** JSON as it comes from the API server; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: the tests compare fields of many kinds of objects
export type Json = any;

/** Requests to one server with one token. All of them reject with ApiError unless the answer is 2xx. */
export interface ApiClient {
  get(path: string): Promise<Json>;
  /** POST to a collection. */
  create(path: string, object: object): Promise<Json>;
  /** PUT: an object, or its `…/status`. */
  replace(path: string, object: object): Promise<Json>;
  /** PATCH with a JSON merge patch. */
  merge(path: string, patch: object): Promise<Json>;
  delete(path: string, options?: object): Promise<Json>;
  close(): void;
}

/** Makes a client of `server` (https://…) that trusts the CA file and sends the token. */
export function apiClient(server: string, caPath: string, token: string): ApiClient {
  // The server writes the CA file when it first starts, which may be later than now.
  let agent: Agent | undefined;
  const connection = () => {
    agent ??= new Agent({ ca: readFileSync(caPath), keepAlive: true, maxSockets: 16 });
    return agent;
  };
  const call = (method: string, path: string, body?: object, type = "application/json") =>
    new Promise<Json>((resolve, reject) => {
      const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: "application/json" };
      const text = body === undefined ? "" : JSON.stringify(body);
      if (body !== undefined) {
        headers["Content-Type"] = type;
        // Node would send the body of a DELETE without saying how long it is.
        headers["Content-Length"] = `${Buffer.byteLength(text)}`;
      }
      const outgoing = request(
        new URL(path, server),
        { method, agent: connection(), headers, timeout: 60_000 },
        (answer) => {
          let received = "";
          answer.setEncoding("utf8");
          answer.on("data", (chunk: string) => {
            received += chunk;
          });
          answer.on("error", reject);
          answer.on("end", () => {
            const status = answer.statusCode ?? 0;
            if (status < 200 || status > 299) reject(new ApiError(status, `${method} ${path}: ${status} ${received}`));
            else resolve(answer.headers["content-type"]?.includes("json") ? JSON.parse(received) : received);
          });
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer within 60 s`)));
      outgoing.on("error", reject);
      outgoing.end(text);
    });
  return {
    get: (path) => call("GET", path),
    create: (path, object) => call("POST", path, object),
    replace: (path, object) => call("PUT", path, object),
    merge: (path, patch) => call("PATCH", path, patch, "application/merge-patch+json"),
    delete: (path, options) => call("DELETE", path, options),
    close: () => agent?.destroy(),
  };
}

/**
 * Asks again and again until `ask` gives something other than undefined.
 * Rejects after `timeout` milliseconds, naming what was waited for.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  timeout = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeout / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
