// Explorer layer, reports: a node's log in a few sentences with times.
import type { NodeLog } from "../../cluster/on-node.ts";
import type { NodeLogQuery } from "../../kube/node-proxy.ts";
import { count } from "../../report/text-layout.ts";
import { eventTime, isoTime } from "../../report/time.ts";
import { type FoldedLog, foldLog, type LogGroup, type LogMessage } from "../../triage/on-node/fold-log.ts";
import { type LogLine, readLogLines } from "../../triage/on-node/log-line.ts";

/** One sentence each: what is wrong, and what else was seen or limits the answer. */
export interface JudgedLog {
  readonly found: readonly string[];
  readonly seen: readonly string[];
}

/** Folds and words the lines. In: the time now by the node's clock, milliseconds since the epoch. */
export function judgeLog(log: NodeLog, query: NodeLogQuery | null, now: number): JudgedLog {
  const lines = readLogLines(log.lines, now);
  const folded = foldLog(lines);
  return {
    found: folded.groups.flatMap((group) => groupLines(group, now)),
    seen: [...otherLines(folded, now), windowLine(log, lines, query, folded)],
  };
}

function groupLines(group: LogGroup, now: number): readonly string[] {
  const [only, ...others] = group.messages;
  const head = `${group.kind.title}, ${times(group, now)}`;
  const means = group.kind.means;
  if (only === undefined) return [`${head}. ${means}`];
  const more = group.more === 0 ? "" : ` and ${count(group.more, "other message")}`;
  if (others.length === 0) return [`${head}: ${only.text}. ${means}`];
  const messages = group.messages.map((message) => `${message.count} × ${message.text}`).join("; ");
  return [`${head}: ${messages}${more}. ${means}`];
}

function otherLines({ others, moreOthers }: FoldedLog, now: number): readonly string[] {
  if (others.length === 0) return [];
  return [
    ...others.map((message) => `Another error, ${times(message, now)}: ${message.text}.`),
    ...(moreOthers === 0 ? [] : [`${count(moreOthers, "other kind")} of errors, each less often.`]),
  ];
}

/** `40 times from … to … (20 min before)`. */
function times({ count: amount, first, last }: Omit<LogMessage, "text">, now: number): string {
  const often = amount === 1 ? "once" : `${amount} times`;
  if (first === null || last === null) return often;
  if (isoTime(first) === isoTime(last)) return `${often} at ${eventTime(last, now)}`;
  return `${often} from ${isoTime(first)} to ${eventTime(last, now)}`;
}

/** How far the log reaches: silence before that proves nothing. */
function windowLine(log: NodeLog, lines: readonly LogLine[], query: NodeLogQuery | null, folded: FoldedLog): string {
  const full = log.truncated || (query !== null && log.lines.length >= query.lines);
  const oldest = lines.find(({ at }) => at !== null)?.at ?? null;
  const from = full ? oldest : (query?.since ?? oldest);
  const since = from === null ? "" : ` since ${isoTime(from)}`;
  const limit = full ? `, which are the newest ${count(log.lines.length, "line")} that match` : "";
  const clean =
    folded.groups.length === 0 && folded.others.length === 0
      ? "Nothing of a known kind of trouble, and no error:"
      : "Searched:";
  return `${clean} warnings and worse${since}, at most since the last boot${limit}.`;
}
