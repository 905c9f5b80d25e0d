// Live cluster, transport: TLS to the API server through an HTTP proxy (CONNECT), the proxy itself reached by http or
// https. Source: net/http Transport.dialConn (Go), which kubectl uses.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { Duplex } from "node:stream";
import { withoutBrackets } from "./proxy.ts";

/** Milliseconds a proxy may take to open a tunnel. */
const TUNNEL_DEADLINE = 9_000;

type Made = (error: Error | null, stream: Duplex) => void;

export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;
  readonly #tls: AgentOptions;
  readonly #opening = new Set<ClientRequest>();

  /** `tls` holds what the API server is checked with; an https proxy is checked with the same authorities, as in kubectl. */
  constructor(proxy: URL, tls: AgentOptions) {
    super(tls);
    this.#proxy = proxy;
    this.#tls = tls;
  }

  /** Opens a tunnel, then TLS in it. Errors go to `made`. */
  override createConnection(options: RequestOptions, made?: Made): null {
    const request = this.#connect(authority(String(options.host ?? ""), String(options.port ?? 443)));
    this.#opening.add(request);
    const fail = (error: Error): void => {
      this.#opening.delete(request);
      // Node looks at no stream where there is an error, but its type wants one.
      made?.(error, new Duplex());
    };
    request.once("connect", (response: IncomingMessage, socket: Duplex) => {
      socket.removeAllListeners();
      const refused = response.statusCode === 200 ? null : refusal(response);
      const inner: RequestOptions & { readonly socket: Duplex } = { ...options, socket };
      const secured = refused === null ? super.createConnection(inner) : null;
      if (secured === null || secured === undefined) {
        socket.destroy();
        fail(new Error(refused ?? "the proxy's tunnel could not be used"));
        return;
      }
      this.#opening.delete(request);
      if (made === undefined) secured.destroy();
      else made(null, secured);
    });
    request.once("timeout", () => request.destroy(new Error("the proxy opened no tunnel in time")));
    request.once("error", fail);
    request.end();
    return null;
  }

  /** Ends the tunnels that are being opened too. */
  override destroy(): void {
    for (const request of this.#opening) request.destroy(new Error("the connection was closed"));
    super.destroy();
  }

  #connect(target: string): ClientRequest {
    const proxy = this.#proxy;
    const secure = proxy.protocol === "https:";
    return (secure ? httpsRequest : httpRequest)({
      ...(secure ? proxyTls(this.#tls, proxy) : {}),
      method: "CONNECT",
      host: withoutBrackets(proxy.hostname),
      port: proxy.port === "" ? (secure ? 443 : 80) : proxy.port,
      path: target,
      setHost: false,
      headers: { host: target, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: TUNNEL_DEADLINE,
    });
  }
}

/** Proxy-Authorization of the user and password in a proxy's URL; empty without them. */
export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "" && proxy.password === "") return {};
  const words = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(words).toString("base64")}` };
}

/** How an https proxy is checked: by the authorities of the API server, under its own name. */
export function proxyTls(tls: AgentOptions, proxy: URL): AgentOptions {
  const host = withoutBrackets(proxy.hostname);
  const { ca, rejectUnauthorized } = tls;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    // Named in any case: Node would take the name from the Host header, which is the API server's.
    servername: isIP(host) === 0 ? host : "",
  };
}

function refusal(response: IncomingMessage): string {
  if (response.statusCode === 407) return "the proxy wants a user and a password (407)";
  return `the proxy refused to connect: ${response.statusCode} ${response.statusMessage ?? ""}`.trim();
}

/** `host:port`, an IPv6 address in brackets. */
function authority(host: string, port: string): string {
  const bare = withoutBrackets(host);
  return isIP(bare) === 6 ? `[${bare}]:${port}` : `${bare}:${port}`;
}
