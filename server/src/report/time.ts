// Report layer: times and durations in words.

/** RFC 3339 in UTC without fractions (`2026-03-02T10:00:00Z`); null stays null. In: milliseconds since the epoch. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** A duration, rounded down: `40 s`, `12 min`, `3 h`, `9 d`. In: milliseconds. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** A time of an event for people: the time, and how long before the observation where that is known. */
export function eventTime(at: number, observedAt: number | null): string {
  const time = isoTime(at) ?? "";
  return observedAt === null || observedAt < at ? time : `${time}, ${duration(observedAt - at)} before`;
}
