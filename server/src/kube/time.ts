// Kubernetes data layer: times as the API writes them (RFC 3339, also with microseconds).

const ZERO = 48;

/**
 * Reads a time of the API: `2026-03-02T10:00:00Z`, with a fraction (`.123456`) or an offset (`+02:00`).
 * Returns milliseconds since the epoch (finer digits are dropped), null for anything else; a number is taken as
 * milliseconds.
 * Go writes a zero time as `0001-01-01T00:00:00Z`: that is no time either.
 */
export function parseTime(source: unknown): number | null {
  // The protobuf reader has milliseconds already; no number stands for a time in JSON.
  if (typeof source === "number") return Number.isFinite(source) ? source : null;
  if (typeof source !== "string" || source.length < 20 || source.length > 40) return null;
  const year = digits(source, 0, 4);
  const month = digits(source, 5, 2);
  const day = digits(source, 8, 2);
  const hour = digits(source, 11, 2);
  const minute = digits(source, 14, 2);
  const second = digits(source, 17, 2);
  // Date.UTC takes years below 100 as 19xx.
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return null;
  if (source[4] !== "-" || source[7] !== "-" || source[10] !== "T" || source[13] !== ":" || source[16] !== ":") {
    return null;
  }
  let at = 19;
  let milliseconds = 0;
  if (source[at] === ".") {
    const start = at + 1;
    at = start;
    while (isDigit(source.charCodeAt(at))) at += 1;
    if (at === start) return null;
    milliseconds = Number(source.slice(start, Math.min(at, start + 3)).padEnd(3, "0"));
  }
  const offset = zoneMinutes(source, at);
  if (offset === null) return null;
  // Date.UTC makes March of the thirtieth of February.
  if (day > 28 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offset * 60_000;
}

/** Writes a time as the API does: seconds, UTC; with milliseconds only where there are any. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** Minutes east of UTC from `Z` or `±hh:mm` at the end of the text; null when it is neither. */
function zoneMinutes(source: string, at: number): number | null {
  const sign = source[at];
  if (sign === "Z") return source.length === at + 1 ? 0 : null;
  if ((sign !== "+" && sign !== "-") || source.length !== at + 6 || source[at + 3] !== ":") return null;
  const hours = digits(source, at + 1, 2);
  const minutes = digits(source, at + 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
}

/** The number written with `count` digits at `start`, or -1. */
function digits(source: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at += 1) {
    const code = source.charCodeAt(at);
    if (!isDigit(code)) return -1;
    value = value * 10 + (code - ZERO);
  }
  return value;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}
