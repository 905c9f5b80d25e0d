// Live cluster, node proxy: why a kubelet's answer could not be had, in words. The API server writes a Status (JSON),
// the kubelet plain text: that tells whose refusal it is.
// Source: k8s.io/apimachinery/pkg/util/proxy (Transport), k8s.io/kubernetes/pkg/kubelet/server (InstallSystemLogHandler,
// InstallDebuggingDisabledHandlers, InstallAuthFilter), pkg/registry/core/node (ResourceLocation).
import type { Asked } from "../../on-node.ts";

export interface Refused {
  readonly node: string;
  readonly status: number;
  readonly body: string;
}

type Refusal = Exclude<Asked<never>, { readonly kind: "answered" }>;

/** Longest quotation of somebody else's words. */
const QUOTED = 300;

/** What any answer but 200 means. */
export function refusalOf({ node, status, body }: Refused): Refusal {
  const message = statusMessage(body);
  return message === null ? ofKubelet(node, status, oneLine(body)) : ofServer(node, status, oneLine(message));
}

function ofServer(node: string, status: number, message: string): Refusal {
  if (status === 401) return failed("The API server does not accept the credentials (401): sign in again.", false);
  if (status === 403) {
    return {
      kind: "not allowed",
      reason: `${sentence(message)} The right is get on nodes/proxy: docs/rbac-node-proxy.yaml, which says why it is a privileged one.`,
    };
  }
  if (status === 404) return failed(sentence(message), false);
  if (status === 429) return failed(`The API server is busy (429): ${sentence(message)}`, false);
  return failed(unreachable(node, message), false);
}

/** Each with what to look at; the API server's own words stay. */
const CAUSES: readonly (readonly [RegExp, (node: string) => string])[] = [
  [
    /remote error: tls: internal error/,
    () =>
      "The kubelet has no serving certificate: its request waits for approval. Look for Pending ones: kubectl get csr.",
  ],
  [
    /x509: certificate has expired/,
    () => "The kubelet's serving certificate has expired: its renewal fails, or its request waits (kubectl get csr).",
  ],
  [
    /x509:/,
    () =>
      "The API server does not trust the kubelet's certificate: a self-signed one where --kubelet-certificate-authority is set, or one for other addresses.",
  ],
  [
    /remote error: tls: (bad certificate|unknown certificate|certificate required)/,
    () => "The kubelet does not trust the API server's client certificate.",
  ],
  [
    /connection refused/,
    (node) =>
      `Nothing listens on the kubelet's port: the kubelet of ${node} is down, or another machine has its address.`,
  ],
  [
    /no agent available|No agent available|proxy dialer|konnectivity/i,
    () => "The tunnel between the API server and the nodes (konnectivity) has no agent.",
  ],
  [
    /i\/o timeout|deadline exceeded|no route to host|network is unreachable|TLS handshake timeout|EOF|connection reset/,
    (node) =>
      `The API server cannot reach the kubelet of ${node}: the node is down, its network is, or a firewall stands between.`,
  ],
  [/no preferred addresses found/, (node) => `${node} has no address in its status: the kubelet has not said one yet.`],
  [/address not allowed/, () => "The node's address is one that the API server never connects to, such as loopback."],
  [/no such host/, () => "The API server cannot resolve the node's host name."],
];

function unreachable(node: string, message: string): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(message));
  return cause === undefined ? sentence(message) : `${cause[1](node)} The API server says: ${sentence(message)}`;
}

/** What a kubelet says of an endpoint that is off, and the field of its configuration. */
const SWITCHES: readonly (readonly [string, string])[] = [
  ["logs endpoint is disabled", "enableSystemLogHandler"],
  ["Debug endpoints are disabled", "enableDebuggingHandlers"],
];

function ofKubelet(node: string, status: number, text: string): Refusal {
  // The kubelet's own words; a gateway on the way has others.
  if (status === 401 && text === "Unauthorized") {
    return failed(
      `The kubelet of ${node} does not accept the API server's client certificate (401): look at --kubelet-client-certificate of the API server and clientCAFile of the kubelet.`,
      true,
    );
  }
  if (status === 403 && text.startsWith("Forbidden (user=")) {
    return {
      kind: "not allowed",
      reason: `The kubelet of ${node} refuses the API server itself, not you: ${sentence(text)} The API server's user needs the ClusterRole system:kubelet-api-admin.`,
    };
  }
  if (status === 401 || status === 403) {
    const reason = `Somebody between here and the kubelet of ${node} refuses (${status}): ${sentence(text)}`;
    return { kind: "not allowed", reason };
  }
  if (status === 404 || status === 405 || status === 501) {
    const setting = SWITCHES.find(([words]) => text.includes(words))?.[1];
    const how = setting === undefined ? "" : ` Its configuration has ${setting}: false.`;
    return {
      kind: "not enabled",
      reason: `The kubelet of ${node} does not serve it (${status}): ${sentence(text)}${how}`,
    };
  }
  return failed(`${node} answered ${status}: ${sentence(text === "" ? "nothing" : text)}`, true);
}

/** The message of a Status; null where the body is none. */
function statusMessage(body: string): string | null {
  if (!body.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "Status") return null;
    return "message" in value && typeof value.message === "string" ? value.message : "";
  } catch {
    // Not JSON, so not the API server's.
    return null;
  }
}

function failed(reason: string, reached: boolean): Refusal {
  return { kind: "failed", reason, reached };
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > QUOTED ? `${line.slice(0, QUOTED - 1)}…` : line;
}

function sentence(text: string): string {
  const words = text === "" ? "no reason given" : text;
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
