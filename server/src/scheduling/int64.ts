// Scheduling layer: whole numbers as Go reads them. A double holds 15 digits exactly; beyond that a bigint does.

const INT64_MAX = 9223372036854775807n;
const INT64_MIN = -9223372036854775808n;
const SIGNED_DIGITS = /^[+-]?[0-9]+$/;
const CANONICAL = /^(0|-?[1-9][0-9]*)$/;

/** A whole number in the range of int64; numbers and bigints compare with each other exactly. */
export type Int64 = number | bigint;

/**
 * Reads an integer with an optional sign and leading zeros; null when it is none or out of range.
 * Source: Go strconv.ParseInt(value, 10, 64).
 */
export function parseInt64(value: string): Int64 | null {
  if (!SIGNED_DIGITS.test(value)) return null;
  if (value.length <= 15) return Number(value);
  const parsed = BigInt(value.startsWith("+") ? value.slice(1) : value);
  return parsed < INT64_MIN || parsed > INT64_MAX ? null : parsed;
}

/**
 * Whether the text is a decimal integer in canonical form (no plus sign, no leading zero, no `-0`), whatever its size.
 * Source: k8s.io/apimachinery/pkg/api/validate/content IsDecimalInteger.
 */
export function isCanonicalInteger(value: string): boolean {
  return CANONICAL.test(value);
}

/** Reads a value of an `Lt` or `Gt` toleration, or of the taint it meets: canonical and within int64, else null. */
export function parseComparable(value: string): Int64 | null {
  return isCanonicalInteger(value) ? parseInt64(value) : null;
}
