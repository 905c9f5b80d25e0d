// Live cluster, node proxy: a node's own facts, asked of its kubelet through the API server. Asked only when a person
// does, never while a cluster is followed.
import { decodeNodeStats } from "../../../kube/decode/node-stats.ts";
import { type NodeLogQuery, nodeLogPath, nodeStatsPath } from "../../../kube/node-proxy.ts";
import type { Asked, MeasuredStats, NodeLog, OnNodeQuestions, OnNodeReading } from "../../on-node.ts";
import { CredentialError } from "../credentials/credential.ts";
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
  stats: { bytes: 16 * MIB, deadline: 15_000 },
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
  const [stats, kubelet, runtime] = await Promise.all([
    readStats(asking, limits.stats),
    readLog(asking, questions.kubelet, limits.log),
    questions.runtime === null ? null : readLog(asking, questions.runtime, limits.log),
  ]);
  return { stats, kubelet, runtime };
}

async function readStats(asking: Asking, limits: Limits): Promise<Asked<MeasuredStats>> {
  const { node } = asking;
  const answer = await ask(asking, nodeStatsPath(node), limits);
  if ("kind" in answer) return answer;
  if (answer.status !== 200) return refusalOf({ node, status: answer.status, body: answer.body.text });
  const stats = answer.body.truncated ? null : decodeNodeStats(parsed(answer.body.text));
  if (stats === null) {
    const what = answer.body.truncated ? "broke off or is too large" : "is no stats/summary";
    return { kind: "failed", reason: `The answer of ${node} ${what}.` };
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

async function ask(
  { client, now, signal }: Asking,
  path: string,
  limits: Limits,
): Promise<Answered | { readonly kind: "failed"; readonly reason: string }> {
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
    if (error instanceof ConnectionError || error instanceof CredentialError) {
      return { kind: "failed", reason: `${error.message}.` };
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
