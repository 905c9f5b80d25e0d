// Live cluster, transport: where a cluster is reached and how; types only.

export interface TlsSettings {
  /** PEM; null: the system's authorities. */
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** tls-server-name; empty: the host of the URL. */
  readonly serverName: string;
  /** insecure-skip-tls-verify. */
  readonly skipVerify: boolean;
}

export interface Endpoint {
  /** Without a slash at the end; a path prefix is kept. */
  readonly server: URL;
  readonly tls: TlsSettings;
  /** The proxy that is used, credentials included; null: direct. */
  readonly proxy: URL | null;
  /** Where the proxy was named: `proxy-url`, `HTTPS_PROXY` …; empty without one. */
  readonly proxyFrom: string;
}

/** The URL for messages: IPv6 brackets kept, user and password left out. */
export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}
