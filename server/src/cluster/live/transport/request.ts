// Live cluster, transport: one GET, answered as a stream.
import { type Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { RequestHeaders } from "../credentials/credential.ts";
import { describeUrl, type Endpoint } from "./endpoint.ts";

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

/**
 * Sends a GET for `path` (with its query, starting with a slash) and resolves when the status line is there.
 * @throws ConnectionError when there is no answer within the deadline; an abort of `signal` also ends here.
 */
export function get(endpoint: Endpoint, agent: Agent, path: string, options: RequestOptions): Promise<Answer> {
  const url = new URL(endpoint.server.href.replace(/\/$/, "") + path);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      request.destroy(
        new ConnectionError(sentence(endpoint, `no answer within ${options.deadline / 1000} s`), "TIMEOUT"),
      );
    }, options.deadline);
    const request = send(
      url,
      {
        agent,
        signal: options.signal,
        headers: { accept: options.accept, "accept-encoding": "gzip", "user-agent": "taintwise", ...options.headers },
      },
      (response) => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: uncompressed(response) });
      },
    );
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error instanceof ConnectionError ? error : connectionError(endpoint, error));
    });
    request.end();
  });
}

function uncompressed(response: IncomingMessage): Readable {
  if (response.headers["content-encoding"] !== "gzip") return response;
  const gunzip = createGunzip();
  // An aborted connection must end the reader too, with the connection's error and not with "unexpected end".
  response.on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => response.destroy());
  return response.pipe(gunzip);
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
    default:
      return code === "" ? message : `${message} (${code})`;
  }
}
