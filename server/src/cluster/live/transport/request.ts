// Live cluster, transport: one GET, or one PATCH, answered as a stream.
import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { RequestHeaders } from "../credentials/credential.ts";
import { describeUrl, type Endpoint } from "./endpoint.ts";
import { proxyAuthorization } from "./tunnel-agent.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, uncompressed; destroy it to end the connection. */
  readonly body: Readable;
}

export interface RequestOptions {
  readonly accept: string;
  /** `Authorization` and impersonation headers. */
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
  /** Milliseconds until the status line must be there. */
  readonly deadline: number;
  /** A JSON patch: the request is a PATCH that carries it. Absent: a GET. */
  readonly patch?: string;
}

/** The server could not be reached, or went away before it answered. `message` is a whole sentence. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** Node's code (ECONNREFUSED, CERT_HAS_EXPIRED …), TIMEOUT for a deadline; empty when there is none. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** As many kept connections are tried before a request is given up; behind a restarted server all of them are dead. */
const MOST_KEPT = 4;

/**
 * Sends a GET for `path` (with its query, starting with a slash) and resolves when the status line is there. A kept
 * connection that the server ended just as it was used again has carried nothing: then it is asked once more, as Go does.
 * @throws ConnectionError when there is no answer within the deadline; an abort of `signal` also ends here.
 */
export async function get(endpoint: Endpoint, agent: Agent, path: string, options: RequestOptions): Promise<Answer> {
  let url = new URL(endpoint.server.href.replace(/\/$/, "") + path);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const answer = await askOnLiving(endpoint, agent, url, options);
    const next = REDIRECTS.has(answer.status) ? URL.parse(answer.headers.location ?? "", url) : null;
    if (next === null) return answer;
    answer.body.destroy();
    if (next.origin !== url.origin) {
      const away = `it sends us on to ${describeUrl(next)}; a gateway in front of it may want a person to sign in`;
      throw new ConnectionError(sentence(endpoint, away), "REDIRECT");
    }
    url = next;
  }
  throw new ConnectionError(sentence(endpoint, "it sends us in circles"), "REDIRECT");
}

/** As net/http of Go: statuses that lead on, and how often they are followed. Only within the server: credentials go along. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 10;

/**
 * Sends a PATCH for `path`, once: it is neither sent again where a kept connection was dead, nor sent on by a redirect.
 * @throws ConnectionError as `get`; then nobody knows whether it arrived.
 */
export async function patch(
  endpoint: Endpoint,
  agent: Agent,
  path: string,
  options: RequestOptions & { readonly patch: string },
): Promise<Answer> {
  const url = new URL(endpoint.server.href.replace(/\/$/, "") + path);
  const answer = await ask(endpoint, agent, url, options);
  if (answer === "lost") throw new ConnectionError(sentence(endpoint, reason("ECONNRESET", "")), "ECONNRESET");
  if (!REDIRECTS.has(answer.status)) return answer;
  answer.body.destroy();
  throw new ConnectionError(sentence(endpoint, "it sends us on elsewhere, where no change is sent"), "REDIRECT");
}

async function askOnLiving(endpoint: Endpoint, agent: Agent, url: URL, options: RequestOptions): Promise<Answer> {
  for (let kept = 0; kept < MOST_KEPT; kept += 1) {
    const answer = await ask(endpoint, agent, url, options);
    if (answer !== "lost") return answer;
  }
  throw new ConnectionError(sentence(endpoint, reason("ECONNRESET", "")), "ECONNRESET");
}

function ask(endpoint: Endpoint, agent: Agent, url: URL, options: RequestOptions): Promise<Answer | "lost"> {
  return new Promise((resolve, reject) => {
    let request: ClientRequest;
    try {
      request = send(endpoint, agent, url, options, (response) => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: uncompressed(response) });
      });
    } catch (error) {
      reject(connectionError(endpoint, error instanceof Error ? error : new Error(String(error))));
      return;
    }
    // Set after the request is there: a header or certificate that Node refuses throws above.
    const timer = setTimeout(() => {
      request.destroy(
        new ConnectionError(sentence(endpoint, `no answer within ${options.deadline / 1000} s`), "TIMEOUT"),
      );
    }, options.deadline);
    request.on("error", (error) => {
      clearTimeout(timer);
      const code = "code" in error ? error.code : "";
      if (request.reusedSocket && (code === "ECONNRESET" || code === "EPIPE")) resolve("lost");
      else reject(error instanceof ConnectionError ? error : connectionError(endpoint, error));
    });
    request.end(options.patch);
  });
}

function send(
  endpoint: Endpoint,
  agent: Agent,
  url: URL,
  { accept, headers, signal, patch: body }: RequestOptions,
  answered: (response: IncomingMessage) => void,
): ClientRequest {
  const { proxy } = endpoint;
  const carried = body === undefined ? {} : { "content-type": JSON_PATCH, "content-length": Buffer.byteLength(body) };
  const sent = { accept, "accept-encoding": "gzip", "user-agent": "taintwise", ...carried, ...headers };
  const method = body === undefined ? "GET" : "PATCH";
  if (url.protocol === "https:") return httpsRequest(url, { agent, signal, method, headers: sent }, answered);
  if (proxy === null || proxy.protocol.startsWith("socks")) {
    return httpRequest(url, { agent, signal, method, headers: sent }, answered);
  }
  // Plain http goes to the proxy, which is told the whole URL.
  const through = proxy.protocol === "https:" ? httpsRequest : httpRequest;
  const asked = { ...sent, ...proxyAuthorization(proxy), host: url.host };
  return through(new URL(proxy.origin), { agent, signal, method, path: url.href, headers: asked }, answered);
}

const JSON_PATCH = "application/json-patch+json";

/** Bytes handed on at a time: a list of hundreds of megabytes comes in thousands of pieces, not in tens of thousands. */
const UNZIPPED_CHUNK = 256 * 1024;

function uncompressed(response: IncomingMessage): Readable {
  if (!/^(?:x-)?gzip$/i.test(response.headers["content-encoding"] ?? "")) return response;
  const gunzip = createGunzip({ chunkSize: UNZIPPED_CHUNK });
  // Whoever reads the result gets the error of either end; the callback has nothing to add.
  pipeline(response, gathered, gunzip, () => undefined);
  return gunzip;
}

/** The same bytes in fewer pieces: reading takes all that lies there, while a pipe hands on each packet by itself. */
async function* gathered(packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const packet of packets) yield packet;
}

/** Turns Node's error into a sentence that names the server, the proxy and what to look at. */
export function connectionError(endpoint: Endpoint, error: Error): ConnectionError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return new ConnectionError(sentence(endpoint, reason(code, error.message)), code);
}

function sentence(endpoint: Endpoint, what: string): string {
  const through =
    endpoint.proxy === null ? "" : ` through the proxy ${describeUrl(endpoint.proxy)} (${endpoint.proxyFrom})`;
  return `${describeUrl(endpoint.server)}${through}: ${what}`;
}

function reason(code: string, message: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there (connection refused)";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the host name cannot be resolved";
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was cut";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "the host cannot be reached from here (network, VPN)";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return `the server's certificate is not signed by an authority that the kubeconfig names (${code})`;
    case "CERT_HAS_EXPIRED":
      return "the server's certificate has expired";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the server's certificate is for another name: ${message}`;
    case "ERR_INVALID_CHAR":
      return `the credentials hold a character that no request header may hold: ${message}`;
    default:
      if (code.startsWith("ERR_OSSL_PEM") || code.startsWith("ERR_OSSL_X509")) {
        return `a certificate or key of the kubeconfig is no valid PEM (${code})`;
      }
      return code === "" ? message : `${message} (${code})`;
  }
}
