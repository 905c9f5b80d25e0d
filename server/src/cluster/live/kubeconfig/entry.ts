// Live cluster, kubeconfig: the entries of one file, as text. Types only.

/** Something wrong in a kubeconfig, with its place (0-based line and UTF-16 character; 0, 0 for a whole file). */
export interface KubeconfigProblem {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly message: string;
  /** `error`: something cannot be used; `information`: something is shadowed or skipped. */
  readonly severity: "error" | "information";
}

export interface ClusterEntry {
  readonly name: string;
  /** The file it came from: relative paths start at its folder. */
  readonly path: string;
  readonly server: string;
  readonly certificateAuthority: string;
  readonly certificateAuthorityData: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName: string;
  readonly proxyUrl: string;
  /** What makes the entry unusable, in words; null when nothing does. */
  readonly damage: string | null;
}

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Never, IfAvailable, Always; empty when unset. */
  readonly interactiveMode: string;
  readonly provideClusterInfo: boolean;
  readonly installHint: string;
}

export interface UserEntry {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  readonly tokenFile: string;
  readonly clientCertificate: string;
  readonly clientCertificateData: string;
  readonly clientKey: string;
  readonly clientKeyData: string;
  readonly username: string;
  readonly password: string;
  readonly impersonate: string;
  readonly impersonateGroups: readonly string[];
  readonly impersonateUid: string;
  readonly impersonateExtra: Readonly<Record<string, readonly string[]>>;
  readonly exec: ExecEntry | null;
  /** auth-provider: its name and its flat configuration; null when unset. */
  readonly authProvider: { readonly name: string; readonly config: Readonly<Record<string, string>> } | null;
  /** What makes the entry unusable, in words; null when nothing does. */
  readonly damage: string | null;
}

export interface ContextEntry {
  readonly name: string;
  readonly path: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string;
}

/** One file as read; entries that cannot be used are kept, so that nobody has to look for them. */
export interface KubeconfigFile {
  readonly path: string;
  /** Empty when not set. */
  readonly currentContext: string;
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly ContextEntry[];
  readonly problems: readonly KubeconfigProblem[];
}
