// Kubernetes data layer: quantities ("100m", "4Gi", "1e3") as numbers.

/** A quantity in the two units that Kubernetes compares. Both are rounded away from zero. */
export interface Quantity {
  /** Whole units, as resource.Quantity.Value gives them. */
  readonly value: number;
  /** Thousandths, as resource.Quantity.MilliValue gives them. */
  readonly milli: number;
}

const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,9}))?$/;

const DECIMAL_EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

const BINARY_EXPONENT: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Longer texts are no quantity anyone writes; the bound keeps the arithmetic small. */
const MAX_LENGTH = 80;
/** 2^63 - 1: upstream caps every quantity there. */
const MAX_UNITS = 9_223_372_036_854_775_807n;

/**
 * Reads a quantity as written in a manifest or a status (text or number).
 * Returns null where Kubernetes would refuse it. Values are capped at 2^63 - 1 and anything finer than a
 * nano-unit is rounded away from zero. Source: k8s.io/apimachinery/pkg/api/resource ParseQuantity.
 */
export function parseQuantity(source: unknown): Quantity | null {
  if (typeof source === "number") {
    return Number.isSafeInteger(source) ? ofInteger(source) : parseQuantity(String(source));
  }
  if (typeof source !== "string" || source === "" || source.length > MAX_LENGTH) return null;
  const match = QUANTITY.exec(source);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", suffix = "", exponent = ""] = match;
  // No digits at all, as in "m", is zero to upstream's parser.
  if (whole === "" && fraction === "") return { value: 0, milli: 0 };
  if (fraction === "" && suffix === "" && exponent === "" && whole.length < 13) {
    return ofInteger(Number(`${sign}${whole}`));
  }
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return { value: 0, milli: 0 };
  const scale = scaleOf(suffix, exponent, fraction.length);
  const negative = sign === "-";
  return { value: toNumber(digits, scale, 0, negative), milli: toNumber(digits, scale, 3, negative) };
}

/** A number is `digits × 2^binary × 10^decimal`. */
interface Scale {
  readonly binary: number;
  readonly decimal: number;
}

function scaleOf(suffix: string, exponent: string, fractionDigits: number): Scale {
  const binary = BINARY_EXPONENT[suffix] ?? 0;
  const decimal = exponent === "" ? (DECIMAL_EXPONENT[suffix] ?? 0) : Number(exponent);
  // Beyond these bounds the result is capped or rounded anyway.
  return { binary, decimal: Math.max(-200, Math.min(200, decimal)) - fractionDigits };
}

function toNumber(digits: bigint, scale: Scale, extraDecimals: number, negative: boolean): number {
  const decimal = scale.decimal + extraDecimals;
  const scaled = digits << BigInt(scale.binary);
  const amount = decimal >= 0 ? scaled * 10n ** BigInt(decimal) : ceilDivide(scaled, 10n ** BigInt(-decimal));
  const cap = extraDecimals === 0 ? MAX_UNITS : MAX_UNITS * 1000n;
  const capped = Number(amount > cap ? cap : amount);
  return negative ? -capped : capped;
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function ofInteger(value: number): Quantity {
  return { value: value === 0 ? 0 : value, milli: value === 0 ? 0 : value * 1000 };
}
