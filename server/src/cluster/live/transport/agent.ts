// Live cluster, transport: one connection pool per context, whatever the number of requests.
import { Agent as HttpAgent } from "node:http";
import { type AgentOptions, Agent as HttpsAgent } from "node:https";
import tls, { createSecureContext } from "node:tls";
import { SocksProxyAgent } from "socks-proxy-agent";
import type { Endpoint, TlsSettings } from "./endpoint.ts";
import { proxyTls, TunnelAgent } from "./tunnel-agent.ts";

/** Watches hold a connection each; lists share the rest. */
const MAX_SOCKETS = 32;

/**
 * The agent that every request of this endpoint shares. Close it with `destroy()`: all of its sockets end. Plain http
 * through an http proxy is asked of the proxy itself (see request.ts), so its agent is one for the proxy.
 * @throws Error of OpenSSL when the certificate or its key cannot be used.
 */
export function agentFor(endpoint: Endpoint): HttpAgent {
  const { proxy, server } = endpoint;
  const { ca, cert, key, serverName, skipVerify } = endpoint.tls;
  const pool = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: MAX_SOCKETS, maxFreeSockets: 4 };
  const secure: AgentOptions = {
    ...pool,
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
    ...(serverName === "" ? {} : { servername: serverName }),
    rejectUnauthorized: !skipVerify,
    ...(server.protocol === "https:" ? systemTrust(endpoint.tls) : {}),
  };
  const https = server.protocol === "https:";
  if (proxy === null) return https ? new HttpsAgent(secure) : new HttpAgent(pool);
  if (proxy.protocol.startsWith("socks")) return new SocksProxyAgent(resolvedByProxy(proxy), secure);
  if (https) return new TunnelAgent(proxy, secure);
  return proxy.protocol === "https:" ? new HttpsAgent({ ...pool, ...proxyTls(secure, proxy) }) : new HttpAgent(pool);
}

/** Names are resolved behind a SOCKS proxy, as Go does for either scheme; the agent would resolve those of socks5 here. */
function resolvedByProxy(proxy: URL): URL {
  return new URL(proxy.href.replace(/^socks5:/, "socks5h:"));
}

/**
 * Where the kubeconfig names no authority, those of the system count beside those that come with Node, as kubectl trusts
 * them. They are hundreds: read once for all connections. Runtimes that cannot tell them use Node's own.
 */
function systemTrust({ ca, cert, key, skipVerify }: TlsSettings): Pick<AgentOptions, "secureContext"> {
  // A named import of it would not load on Node 20.
  const getCACertificates: typeof tls.getCACertificates | undefined = tls.getCACertificates;
  if (ca !== null || skipVerify || getCACertificates === undefined) return {};
  const authorities = [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  const own = { ...(cert === null ? {} : { cert }), ...(key === null ? {} : { key }) };
  return { secureContext: createSecureContext({ ...own, ca: authorities }) };
}
