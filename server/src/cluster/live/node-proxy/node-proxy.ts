// Live cluster, node proxy: a node's own facts, asked of its kubelet through the API server. Asked only when a person
// does, never while a cluster is followed.

import { decodeNodeStats } from "../../../kube/decode/node-stats.ts";
import { type NodeLogQuery, nodeLogPath, nodeStatsPath } from "../../../kube/node-proxy.ts";
import type { Asked, MeasuredStats, NodeLog, OnNodeQuestions, OnNodeReading } from "../../on-node.ts";
import { CredentialError } from "../credentials/credential.ts";
import { deferred } from "../deferred.ts";
import type { ApiClient } from "../transport/api-client.ts";
import { ConnectionError } from "../transport/request.ts";
import { type Beginning, type Limits, readBeginning } from "./first-lines.ts";
import { lacksPatterns, readNodeLog } from "./node-log.ts";
import { refusalOf } from "./refusal.ts";

export interface NodeProxyLimits {
  readonly stats: Limits;
  /** A kubelet ends its search after 30 s, and writes nothing before it found something. */
  readonly log: Limits;
}

const MIB = 1024 * 1024;
export const NODE_PROXY_LIMITS: NodeProxyLimits = {
  stats: { bytes: 16 * MIB, deadline: 10_000 },
  log: { bytes: 4 * MIB, deadline: 35_000 },
};
/** Bytes of a refusal that are read. */
const REFUSAL = 64 * 1024;

/** Whom to ask, and for how long. */
interface Asking {
  readonly client: ApiClient;
  readonly node: string;
  /** The wall clock of this machine, milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

interface Answered {
  readonly status: number;
  readonly type: string;
  /** Milliseconds that the clock of whoever answered is ahead of the API server's; null without a Date header. */
  readonly ahead: number | null;
  readonly body: Beginning;
}

/**
 * Asks a node's kubelet for everything at once. Never rejects but for an abort of `signal`: what could not be had says
 * why.
 * @param now the wall clock of this machine, milliseconds since the epoch
 */
export async function readOnNode(
  client: ApiClient,
  questions: OnNodeQuestions,
  now: () => number,
  signal: AbortSignal,
  limits: NodeProxyLimits = NODE_PROXY_LIMITS,
): Promise<OnNodeReading> {
  const asking: Asking = { client, node: questions.node, now, signal };
  // A node that is down is told of as soon as one question shows it: somebody waits for the report.
  const silent = deferred<Silence>();
  const leave = new AbortController();
  const log = (query: NodeLogQuery): Promise<Asked<NodeLog>> => {
    const search = readLog({ ...asking, signal: AbortSignal.any([signal, leave.signal]) }, query, limits.log);
    return Promise.race([search, silent.promise]);
  };
  const stats = readStats(asking, limits.stats).then((asked) => {
    if (asked.kind === "failed" && asked.reached === false) silent.resolve(asked);
    return asked;
  });
  const answers = Promise.all([
    stats,
    log(questions.kubelet),
    questions.runtime === null ? null : log(questions.runtime),
  ]);
  try {
    const [measured, kubelet, runtime] = await answers;
    return { stats: measured, kubelet, runtime };
  } finally {
    leave.abort();
  }
}

/** Nobody answered for the node. */
type Silence = Extract<Asked<never>, { readonly kind: "failed" }>;

async function readStats(asking: Asking, limits: Limits): Promise<Asked<MeasuredStats>> {
  const { node } = asking;
  const answer = await ask(asking, nodeStatsPath(node), limits);
  if ("kind" in answer) return answer;
  if (answer.status !== 200) return refusalOf({ node, status: answer.status, body: answer.body.text });
  const stats = answer.body.truncated ? null : decodeNodeStats(parsed(answer.body.text));
  if (stats === null) {
    const what = answer.body.truncated ? "broke off or is too large" : "is no stats/summary";
    return { kind: "failed", reason: `The answer of ${node} ${what}.`, reached: true };
  }
  return { kind: "answered", value: { stats, clockAhead: answer.ahead } };
}

async function readLog(asking: Asking, query: NodeLogQuery, limits: Limits): Promise<Asked<NodeLog>> {
  const { node } = asking;
  const answer = await ask(asking, nodeLogPath(node, query), limits);
  if ("kind" in answer) return answer;
  if (answer.status !== 200) return refusalOf({ node, status: answer.status, body: answer.body.text });
  if (query.pattern !== "" && lacksPatterns(answer.body)) return readLog(asking, { ...query, pattern: "" }, limits);
  return readNodeLog(node, answer.type, answer.body);
}

/** What is read of an answer: JSON of the API server, JSON or text of the kubelet. */
const ACCEPT = "application/json, text/plain;q=0.9, */*;q=0.1";

async function ask({ client, node, now, signal }: Asking, path: string, limits: Limits): Promise<Answered | Silence> {
  try {
    const { status, headers, body } = await client.ask(path, ACCEPT, limits.deadline, signal);
    // The header is as old as the way here, not as the body that follows.
    const arrived = now() + client.clockSkew;
    const date = Date.parse(headers.date ?? "");
    return {
      status,
      type: headers["content-type"] ?? "",
      ahead: Number.isNaN(date) ? null : date - arrived,
      body: await readBeginning(body, status === 200 ? limits : { ...limits, bytes: REFUSAL }, signal),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectionError && error.code === "TIMEOUT") {
      const waited = `The kubelet of ${node} gave no answer through the API server within ${limits.deadline / 1000} s`;
      const reason = `${waited}: the node is down or hangs, its network is, or a firewall stands between.`;
      return { kind: "failed", reason, reached: false };
    }
    if (error instanceof ConnectionError || error instanceof CredentialError) {
      return { kind: "failed", reason: `${error.message}.`, reached: false };
    }
    throw error;
  }
}

/** A JSON value; null where the text is none: the caller says so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
