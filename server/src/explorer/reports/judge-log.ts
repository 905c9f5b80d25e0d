// Explorer layer, reports: a node's log in a few sentences with times.
import type { NodeLog } from "../../cluster/on-node.ts";
import { count } from "../../report/text-layout.ts";
import { eventTime, isoTime } from "../../report/time.ts";
import { type FoldedLog, foldLog, type LogGroup, type LogMessage } from "../../triage/on-node/fold-log.ts";
import { readLogLines } from "../../triage/on-node/log-line.ts";

/** One sentence each: what is wrong, and what else was seen or limits the answer. */
export interface JudgedLog {
  readonly found: readonly string[];
  readonly seen: readonly string[];
}

/** Milliseconds since the epoch, by the node's clock. */
export interface LogSpan {
  /** Older lines are left out. */
  readonly from: number;
  readonly now: number;
}

/** Folds and words the lines. In: the most lines that were asked for. */
export function judgeLog(log: NodeLog, most: number, span: LogSpan): JudgedLog {
  const all = readLogLines(log.lines, span.now);
  const folded = foldLog(all.filter(({ at }) => at === null || at >= span.from));
  const oldest = all.find(({ at }) => at !== null)?.at ?? null;
  const full = log.truncated || log.lines.length >= most;
  // A log that is cut off tells of less than was asked for only where what is left begins later.
  const cut = full && (oldest === null || oldest > span.from);
  return {
    found: folded.groups.flatMap((group) => groupLines(group, span.now)),
    seen: [...otherLines(folded, span.now), windowLine(folded, cut, cut ? oldest : span.from)],
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

/** How far the log reaches: silence before that proves nothing. `since`: null where its lines carry no times. */
function windowLine({ groups, others }: FoldedLog, cut: boolean, since: number | null): string {
  const clean = groups.length === 0 && others.length === 0;
  const begin = clean ? "Nothing of a known kind of trouble, and no error:" : "Searched:";
  const time = since === null ? "" : ` since ${isoTime(since)}`;
  const limit = cut ? ": there is more, and only the newest was read" : ", at most since the last boot";
  return `${begin} warnings and worse${time}${limit}.`;
}
