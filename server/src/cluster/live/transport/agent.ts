// Live cluster, transport: one connection pool per context, whatever the number of requests.
import { Agent as HttpAgent } from "node:http";
import { type AgentOptions, Agent as HttpsAgent } from "node:https";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import { SocksProxyAgent } from "socks-proxy-agent";
import type { Endpoint } from "./endpoint.ts";

/** Watches hold a connection each; lists share the rest. */
const MAX_SOCKETS = 32;

/**
 * The agent that every request of this endpoint shares. Close it with `destroy()`: all of its sockets end.
 * @throws Error with a sentence when the proxy's scheme is not known.
 */
export function agentFor(endpoint: Endpoint): HttpAgent {
  const { tls, proxy, server } = endpoint;
  const pool = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: MAX_SOCKETS, maxFreeSockets: 4 };
  const secure: AgentOptions = {
    ...pool,
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.cert === null ? {} : { cert: tls.cert }),
    ...(tls.key === null ? {} : { key: tls.key }),
    ...(tls.serverName === "" ? {} : { servername: tls.serverName }),
    rejectUnauthorized: !tls.skipVerify,
  };
  const https = server.protocol === "https:";
  if (proxy === null) return https ? new HttpsAgent(secure) : new HttpAgent(pool);
  if (proxy.protocol.startsWith("socks")) return new SocksProxyAgent(proxy, secure);
  if (proxy.protocol === "http:" || proxy.protocol === "https:") {
    return https ? new HttpsProxyAgent({ ...secure, proxy }) : new HttpProxyAgent({ ...pool, proxy });
  }
  throw new Error(`the proxy ${proxy.protocol}//${proxy.host} has a scheme that is not known (http, https, socks5)`);
}
