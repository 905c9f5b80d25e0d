// Triage layer, reading: what kind of failure the words of kubelet, runtime and controllers tell.

/** Kinds of failure that have different causes. */
export type FailureKind =
  | "sandbox-image"
  | "rate-limit"
  | "no-space"
  | "read-only"
  | "denied"
  | "not-found"
  | "platform"
  | "registry-unreachable"
  | "certificate"
  | "pull"
  | "runtime-handler"
  | "csi-driver"
  | "csi-socket"
  | "dra-driver"
  | "volume-in-use"
  | "attach-limit"
  | "volume-gone"
  | "attacher"
  | "config"
  | "devices"
  | "network"
  | "runtime"
  | "attach"
  | "mount"
  | "shutdown"
  | "pressure"
  | "unknown";

export interface Failure {
  readonly kind: FailureKind;
  /** Driver that the text names; empty when it names none. */
  readonly driver: string;
  /** Volume that the text names; empty when it names none. */
  readonly volume: string;
  /** Names of the pods that hold the volume, as the text lists them. */
  readonly holders: readonly string[];
  /** The text it was read from. */
  readonly text: string;
}

interface Sign {
  readonly kind: FailureKind;
  readonly words: RegExp;
}

const IMAGE_SIGNS: readonly Sign[] = [
  { kind: "rate-limit", words: /toomanyrequests|too many requests|rate limit|\b429\b|pull ?QPS exceeded/i },
  { kind: "no-space", words: /no space left on device|disk quota exceeded|not enough space on the disk/i },
  { kind: "read-only", words: /read-only file system/i },
  {
    kind: "platform",
    words: /no match(ing)? (for platform|manifest)|image operating system .* cannot be used|platform .* not supported/i,
  },
  {
    kind: "certificate",
    words: /x509:|certificate (has expired|signed by unknown|is not trusted)|tls: failed to verify/i,
  },
  {
    kind: "not-found",
    words:
      /manifest unknown|name unknown|manifest .* not found|: not found\b|\b404\b|invalid reference format|InvalidImageName|could(n't| not) parse image|tag does not exist/i,
  },
  {
    kind: "denied",
    words:
      /unauthorized|authorization failed|authentication required|no basic auth credentials|access denied|access forbidden|\b40[13]\b|insufficient_scope|denied:|credential/i,
  },
  {
    kind: "registry-unreachable",
    words:
      /i\/o timeout|no such host|connection refused|connection reset|network is unreachable|no route to host|TLS handshake timeout|deadline exceeded|server misbehaving|request canceled|client\.timeout|dial tcp|proxyconnect|\b50[0234]\b|bad gateway|service unavailable|unexpected EOF/i,
  },
];

const START_SIGNS: readonly Sign[] = [
  {
    kind: "sandbox-image",
    words:
      /sandbox image|(failed|failure|error) (to )?pull(ing)? (the )?(infra|pause)|pull(ing)? image ["'][^"']*pause[^"']*["']/i,
  },
  {
    kind: "runtime-handler",
    words:
      /no runtime for ["']|runtime ?handler ["']?[^ "']*["']? (is )?not|RuntimeClass .* not found|failed to find runtime handler/i,
  },
  {
    kind: "csi-driver",
    words:
      /not found in the list of registered CSI drivers|CSINode \S+ does not contain driver|CSI driver .* (is )?not (installed|registered)/i,
  },
  {
    kind: "dra-driver",
    words:
      /DRA (driver|plugin) .*not (found|registered)|not found in the list of registered DRA|plugin name \S+ not found in the list of registered plugins|no (DRA )?(kubelet )?plugin registered for driver/i,
  },
  {
    kind: "volume-in-use",
    words:
      /Multi-Attach error|already used by pod|already exclusively attached|already attached to (an|another|a different) (node|instance|server|vm)|is in use by (node|instance|another)|volume .*(is )?attached to a different/i,
  },
  {
    kind: "attach-limit",
    words:
      /attachment limit|attach limit|max(imum)? (number of |volume )?(volumes|attachments|data ?disks)|too many (volumes|disks) attached|exceeds? .*attach/i,
  },
  {
    kind: "volume-gone",
    words:
      /persistentvolumeclaim ["'][^"']+["'] not found|(volume|disk|vol-\S+)["']? (was )?(not found|does not exist|is not available)|InvalidVolume\.NotFound|different (availability )?zone|no such volume/i,
  },
  { kind: "attacher", words: /external-attacher|attacher of .* to attach/i },
  { kind: "platform", words: /container operating system does not match the host|no match for platform/i },
  {
    kind: "config",
    words:
      /(configmaps?|secrets?) ["'][^"']+["'] (not found|is forbidden)|couldn't find key|references non-existent|failed to sync (configmap|secret) cache.*not found|container has runAsNonRoot|non-numeric user|secrets store objects.*(not ?found|does not exist|denied|forbidden|\b40[0134]\b)/i,
  },
  { kind: "csi-socket", words: /(dial unix|unix:\/\/)\S*(csi|plugins)\S*|\bcsi\S*\.sock|\/plugins\/\S+\.sock/i },
  {
    kind: "network",
    words:
      /network for sandbox|pod network|set ?up (the )?(pod )?network|\bcni\b|cni[-_.]|multus|network plugin|NetworkPluginNotReady|NetworkReady=false|network is not ready|failed to (assign|allocate) (an? )?(ip|address)|\bipam\b|no (free|available) (ip|address)|no IP address(es)? available|allocate for range|address(es)? (are )?exhausted|hcn[A-Z]|\bHNS\b|no podCIDR|podCIDR/i,
  },
  {
    kind: "devices",
    words: /CDI devices?|nvidia-container|NVML|device plugin|Allocate failed|cannot allocate unhealthy/i,
  },
  { kind: "no-space", words: /no space left on device|disk quota exceeded|not enough space on the disk/i },
  { kind: "read-only", words: /read-only file system/i },
  {
    kind: "runtime",
    words:
      /deadline ?exceeded|is reserved for|(containerd|crio|dockershim|cri-dockerd)\S*\.sock|OCI runtime|runc |ttrpc|shim|resource temporarily unavailable|cannot allocate memory|transport is closing|code = Unavailable|container runtime|hcs|failed to create containerd task/i,
  },
];

/** Words that only repeat an earlier failure: they are never read as the cause while another text is there. */
const ECHOES = /is reserved for|timed out waiting for the condition|unmounted volumes=|Back-off|error killing pod/i;

/** Whether the text repeats an earlier failure instead of telling its own. */
export function isEcho(text: string): boolean {
  return ECHOES.test(text);
}

/** Reads why an image could not be pulled. */
export function readPull(text: string): Failure {
  const sign = IMAGE_SIGNS.find((entry) => entry.words.test(text));
  return failure(sign?.kind ?? "pull", text);
}

/**
 * Reads why a bound pod does not start, from an event's reason and message: sandbox, network, mount, attach, devices,
 * configuration. `unknown` when neither says it.
 */
export function readStart(reason: string, text: string): Failure {
  const sign = START_SIGNS.find((entry) => entry.words.test(text));
  // A mount that takes too long is the storage's matter, not the runtime's.
  const storage = reason === "FailedMount" || reason === "FailedMapVolume" || reason === "FailedAttachVolume";
  const kind = sign?.kind ?? "unknown";
  if (storage && (kind === "runtime" || kind === "unknown" || kind === "network")) {
    return failure(reason === "FailedAttachVolume" ? "attach" : "mount", text);
  }
  if (kind === "unknown" && reason === "FailedCreatePodSandBox") return failure("runtime", text);
  if (kind === "unknown" && reason === "NetworkNotReady") return failure("network", text);
  if (kind === "unknown" && reason === "FailedPrepareDynamicResources") return failure("dra-driver", text);
  return failure(kind, text);
}

function failure(kind: FailureKind, text: string): Failure {
  return {
    kind,
    text,
    driver: driverIn(text),
    volume: /volume "([^"]+)"/.exec(text)?.[1] ?? "",
    holders: holdersIn(text),
  };
}

function driverIn(text: string): string {
  const named =
    /driver name (\S+) not found in the list/.exec(text) ??
    /does not contain driver (\S+)/.exec(text) ??
    /(?:DRA driver|DRA plugin|plugin name|driver name|CSI driver|driver) ["']?([a-z0-9][a-z0-9.-]*\.[a-z0-9.-]+)["']?/i.exec(
      text,
    );
  return (named?.[1] ?? "").replace(/[",.:;]+$/, "");
}

function holdersIn(text: string): readonly string[] {
  const list = /already used by pod\(?s?\)? ([^\n]*)/i.exec(text)?.[1] ?? "";
  return list
    .replace(/ on (different )?nodes?.*$/, "")
    .split(/[,\s]+/)
    .map((name) => name.replace(/[".;]+$/g, ""))
    .filter((name) => /^[a-z0-9]([-a-z0-9./]*[a-z0-9])?$/.test(name) && name !== "and");
}
