// Triage layer, facts: ages against the observation time.

/** Milliseconds from `time` to `now`; null when either is unknown. */
export function ageOf(time: number | null, now: number | null): number | null {
  return time === null || now === null ? null : now - time;
}

/** Whether it is known to have lasted for `limit` milliseconds. */
export function isOlder(time: number | null, now: number | null, limit: number): boolean {
  const age = ageOf(time, now);
  return age !== null && age >= limit;
}

/** Whether it is known to be younger than `limit` milliseconds (the future counts as young). */
export function isYoung(time: number | null, now: number | null, limit: number): boolean {
  const age = ageOf(time, now);
  return age !== null && age < limit;
}
