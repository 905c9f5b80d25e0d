// Live cluster, transport: which proxy a server is reached through.
// Order as kubectl: the cluster's proxy-url, then the environment with NO_PROXY, then direct.
// Source: k8s.io/client-go/tools/clientcmd, golang.org/x/net/http/httpproxy (Config.ProxyFunc).
import { BlockList, isIP } from "node:net";

export interface ProxyChoice {
  readonly proxy: URL | null;
  /** Where it was named; empty for a direct connection. */
  readonly from: string;
  /** A value that is no URL, in words; null when all is well. */
  readonly problem: string | null;
}

/** Picks the proxy for `server`; `proxyUrl` is the cluster's own setting, empty when unset. */
export function chooseProxy(
  server: URL,
  proxyUrl: string,
  environment: Readonly<Record<string, string | undefined>>,
): ProxyChoice {
  if (proxyUrl !== "") return parse(proxyUrl, "proxy-url");
  const names = server.protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  const name = names.find((each) => (environment[each] ?? "") !== "");
  if (name === undefined) return { proxy: null, from: "", problem: null };
  const exceptions = environment.NO_PROXY || environment.no_proxy || "";
  if (isLoopback(server.hostname) || isExcepted(server, exceptions)) return { proxy: null, from: "", problem: null };
  const value = environment[name] ?? "";
  return parse(value.includes("://") ? value : `http://${value}`, name);
}

/** What client-go takes for a proxy. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "socks5:", "socks5h:"]);

function parse(text: string, from: string): ProxyChoice {
  const url = URL.parse(text);
  if (url === null) return { proxy: null, from, problem: `${from} is no URL: ${text}` };
  if (SCHEMES.has(url.protocol)) return { proxy: url, from, problem: null };
  return { proxy: null, from, problem: `${from} ${url.protocol}//${url.host} must be http, https or socks5` };
}

/** Whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** NO_PROXY: hosts, suffixes (`.x`, `*.x`), `host:port`, addresses, CIDR blocks, `*`. */
function isExcepted(server: URL, list: string): boolean {
  const host = withoutBrackets(server.hostname).toLowerCase();
  const port = server.port === "" ? (server.protocol === "https:" ? "443" : "80") : server.port;
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "")
    .some((entry) => matchesException(host, port, entry));
}

function matchesException(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inBlock(host, entry);
  const withPort = /^(.*?):(\d+)$/.exec(entry);
  const isAddress = isIP(withoutBrackets(entry)) !== 0;
  if (withPort !== null && !isAddress) {
    return withPort[2] === port && matchesException(host, port, withPort[1] ?? "");
  }
  const name = withoutBrackets(entry).replace(/^\*?\./, ".");
  if (name.startsWith(".")) return host.endsWith(name);
  return host === name || (!isAddress && host.endsWith(`.${name}`));
}

function inBlock(host: string, block: string): boolean {
  const family = isIP(host);
  const [address = "", bits = ""] = block.split("/");
  const blockFamily = isIP(address);
  if (family === 0 || blockFamily !== family || !/^\d+$/.test(bits)) return false;
  const list = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), kind);
  return list.check(host, kind);
}

/** An IPv6 address without the brackets that a URL puts around it; every other host as it is. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}
