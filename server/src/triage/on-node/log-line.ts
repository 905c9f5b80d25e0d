// Triage layer, on the node: one line of a node's journal as journalctl's short-precise output writes it, and the
// message in it as klog, logfmt (containerd, CRI-O) or JSON write it.

export interface LogLine {
  /** Milliseconds since the epoch, by the node's clock; null where the line carries no time that is understood. */
  readonly at: number | null;
  /** Whether the program itself calls it an error. */
  readonly error: boolean;
  /** What it says, without time, host, process and level. */
  readonly message: string;
}

const JOURNAL = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))? \S+ ([^\s:[]+)(?:\[\d+\])?: (.*)$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const KLOG = /^([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d+\s+\d+ [\w.-]+:\d+\] /;
const DAY = 86_400_000;

/** Longer messages are cut: they carry whole objects, and the beginning tells what it is about. */
const LONGEST = 1_000;

/**
 * Reads lines in any order into messages, oldest first. A line that begins with a blank goes on the one before.
 * In: the observation time, from which the year is taken, since the journal writes none.
 */
export function readLogLines(lines: readonly string[], now: number): readonly LogLine[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && /^\s/.test(line)) {
      if (last.length < LONGEST) joined[joined.length - 1] = `${last} ${line.trim()}`;
    } else joined.push(line);
  }
  return joined.map((line) => readLine(line.slice(0, LONGEST), now)).sort((a, b) => (a.at ?? now) - (b.at ?? now));
}

function readLine(line: string, now: number): LogLine {
  const match = JOURNAL.exec(line);
  if (match === null) return { at: null, ...readMessage(line) };
  const [, month = "", day, hour, minute, second, fraction = "", , message = ""] = match;
  const at = (year: number): number =>
    Date.UTC(
      year,
      MONTHS.indexOf(month),
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
      Number(fraction.padEnd(3, "0").slice(0, 3)),
    );
  const year = new Date(now).getUTCFullYear();
  // In January the journal still holds last year's December.
  const time = at(year) > now + DAY ? at(year - 1) : at(year);
  return { at: MONTHS.includes(month) ? time : null, ...readMessage(message) };
}

function readMessage(text: string): Pick<LogLine, "error" | "message"> {
  const klog = KLOG.exec(text);
  if (klog !== null) {
    return { error: klog[1] === "E" || klog[1] === "F", message: plainKlog(text.slice(klog[0].length)) };
  }
  const level = /\blevel=(\w+)/.exec(text)?.[1];
  const said = /\bmsg="((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  if (level !== undefined && said !== undefined) {
    const cause = /\berror="((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
    const message = unescaped(cause === undefined || said.includes(cause) ? said : `${said}: ${cause}`);
    return { error: /^(error|fatal|panic)$/.test(level), message };
  }
  return readJson(text) ?? { error: false, message: text };
}

/** klog's `"What happened" err="why" pod="which"` as `What happened: why pod="which"`. */
function plainKlog(text: string): string {
  const said = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (said === null) return text;
  const pairs = text.slice(said[0].length);
  const cause = /\berr="((?:[^"\\]|\\.)*)"/.exec(pairs);
  const others = (cause === null ? pairs : pairs.replace(cause[0], "")).replace(/\s+/g, " ").trimEnd();
  return unescaped(`${said[1]}${cause === null ? "" : `: ${cause[1]}`}${others === " " ? "" : others}`);
}

function readJson(text: string): Pick<LogLine, "error" | "message"> | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("msg" in value) || typeof value.msg !== "string") return null;
    const cause = "err" in value && typeof value.err === "string" ? value.err : "";
    return { error: cause !== "", message: cause === "" ? value.msg : `${value.msg}: ${cause}` };
  } catch {
    // Half an object, or something else in braces: a message like any other.
    return null;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replace(/\\[nt]/g, " ");
}
