// Triage layer, wording: ages and times for people.
import { formatTime } from "../../kube/time.ts";

const UNITS: readonly (readonly [milliseconds: number, name: string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

/** A length of time in its largest unit, rounded down: `12 days`, `1 minute`. */
export function formatAge(milliseconds: number): string {
  const [size, name] = UNITS.find(([unit]) => milliseconds >= unit) ?? [1000, "second"];
  const amount = Math.max(0, Math.floor(milliseconds / size));
  return `${amount} ${name}${amount === 1 ? "" : "s"}`;
}

/** ` for 12 days (since 2026-02-20T14:00:00Z)`, with a leading blank; empty when the start is unknown. */
export function forSince(since: number | null, now: number | null): string {
  if (since === null) return "";
  const age = now === null || now - since < 1000 ? "" : ` for ${formatAge(now - since)}`;
  return age === "" ? ` since ${formatTime(since)}` : `${age} (since ${formatTime(since)})`;
}
