// Triage layer, on the node: many lines of a log folded into few: one entry for each known kind of trouble, and the
// errors of no known kind that repeat most.
import { quote } from "../wording/list.ts";
import type { LogKind } from "./log-kinds.ts";
import { LOG_KINDS } from "./log-kinds.ts";
import type { LogLine } from "./log-line.ts";
import { maskSecrets } from "./mask-secrets.ts";

/** Messages that differ only in names, numbers and times. */
export interface LogMessage {
  readonly count: number;
  /** Milliseconds since the epoch; null where the lines carry no time. */
  readonly first: number | null;
  readonly last: number | null;
  /** The newest of them in quotes, without credentials. */
  readonly text: string;
}

export interface LogGroup extends Omit<LogMessage, "text"> {
  readonly kind: LogKind;
  /** The most frequent ones, the newest first where they are equal. */
  readonly messages: readonly LogMessage[];
  /** How many kinds of messages are left out. */
  readonly more: number;
}

export interface FoldedLog {
  /** Gravest first. */
  readonly groups: readonly LogGroup[];
  /** Errors of no known kind, the most frequent first. */
  readonly others: readonly LogMessage[];
  /** How many kinds of such errors are left out. */
  readonly moreOthers: number;
}

const MESSAGES_OF_A_KIND = 2;
const OTHERS = 5;

/** Folds lines. In: oldest first, as `readLogLines` gives them. */
export function foldLog(lines: readonly LogLine[]): FoldedLog {
  const byKind = new Map<LogKind | null, LogLine[]>();
  for (const line of lines) {
    const kind = LOG_KINDS.find(({ pattern }) => pattern.test(line.message)) ?? null;
    if (kind === null && !line.error) continue;
    const others = byKind.get(kind);
    if (others === undefined) byKind.set(kind, [line]);
    else others.push(line);
  }
  const groups = LOG_KINDS.flatMap((kind): readonly LogGroup[] => {
    const found = byKind.get(kind);
    if (found === undefined) return [];
    const messages = messagesOf(found);
    return [
      {
        kind,
        ...spanOf(found),
        messages: messages.slice(0, MESSAGES_OF_A_KIND),
        more: Math.max(0, messages.length - MESSAGES_OF_A_KIND),
      },
    ];
  });
  const others = messagesOf(byKind.get(null) ?? []);
  return { groups, others: others.slice(0, OTHERS), moreOthers: Math.max(0, others.length - OTHERS) };
}

function messagesOf(lines: readonly LogLine[]): readonly LogMessage[] {
  const alike = new Map<string, LogLine[]>();
  for (const line of lines) {
    const key = skeleton(line.message);
    const same = alike.get(key);
    if (same === undefined) alike.set(key, [line]);
    else same.push(line);
  }
  return [...alike.values()]
    .map((same) => ({ ...spanOf(same), text: quote(maskSecrets(same.at(-1)?.message ?? "")) }))
    .sort((a, b) => b.count - a.count || (b.last ?? 0) - (a.last ?? 0));
}

function spanOf(lines: readonly LogLine[]): Omit<LogMessage, "text"> {
  const times = lines.flatMap(({ at }) => (at === null ? [] : [at]));
  return { count: lines.length, first: times[0] ?? null, last: times.at(-1) ?? null };
}

/** Values that name an object, as klog's and logfmt's pairs write them. */
const NAMES =
  /\b(pods?|podUIDs?|podSandboxID|containers?|containerID|containerName|sandbox\w*|image\w*|volume\w*|path|name|namespace|id|claim\w*)="?(?:[^\s"\\]|\\.)*"?/gi;

/** What stays of a message when names, numbers and times are taken away. */
function skeleton(message: string): string {
  return message
    .replace(NAMES, "$1=")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{12,}\b/gi, "#")
    .replace(/\d+/g, "#")
    .slice(0, 240);
}
