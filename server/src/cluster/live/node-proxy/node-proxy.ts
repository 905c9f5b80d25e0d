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

interface Answered {
  readonly status: number;
  readonly type: string;
  /** The Date header in milliseconds; null without one. */
  readonly date: number | null;
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
  const { node } = questions;
  const log = (query: NodeLogQuery): Promise<Asked<NodeLog>> => readLog(client, node, query, limits.log, signal);
  const [stats, kubelet, runtime] = await Promise.all([
    readStats(client, node, limits.stats, now, signal),
    log(questions.kubelet),
    questions.runtime === null ? null : log(questions.runtime),
  ]);
  return { stats, kubelet, runtime };
}

async function readStats(
  client: ApiClient,
  node: string,
  limits: Limits,
  now: () => number,
  signal: AbortSignal,
): Promise<Asked<MeasuredStats>> {
  const answer = await ask(client, nodeStatsPath(node), limits, signal);
  if ("kind" in answer) return answer;
  if (answer.status !== 200) return refusalOf({ node, status: answer.status, body: answer.body.text });
  const stats = answer.body.truncated ? null : decodeNodeStats(parsed(answer.body.text));
  if (stats === null) {
    const what = answer.body.truncated ? "broke off or is too large" : "is no stats/summary";
    return { kind: "failed", reason: `The answer of ${node} ${what}.` };
  }
  const clockAhead = answer.date === null ? null : answer.date - (now() + client.clockSkew);
  return { kind: "answered", value: { stats, clockAhead } };
}

async function readLog(
  client: ApiClient,
  node: string,
  query: NodeLogQuery,
  limits: Limits,
  signal: AbortSignal,
): Promise<Asked<NodeLog>> {
  const answer = await ask(client, nodeLogPath(node, query), limits, signal);
  if ("kind" in answer) return answer;
  if (answer.status !== 200) return refusalOf({ node, status: answer.status, body: answer.body.text });
  if (query.pattern !== "" && lacksPatterns(answer.body)) {
    return readLog(client, node, { ...query, pattern: "" }, limits, signal);
  }
  return readNodeLog(node, answer.type, answer.body);
}

async function ask(
  client: ApiClient,
  path: string,
  limits: Limits,
  signal: AbortSignal,
): Promise<Answered | { readonly kind: "failed"; readonly reason: string }> {
  try {
    const { status, headers, body } = await client.ask(
      path,
      "application/json, text/plain;q=0.9, */*;q=0.1",
      limits.deadline,
      signal,
    );
    const date = Date.parse(headers.date ?? "");
    return {
      status,
      type: headers["content-type"] ?? "",
      date: Number.isNaN(date) ? null : date,
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
