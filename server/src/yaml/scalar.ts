// YAML layer: the type of a scalar as Kubernetes reads it, decided from its source text.
// Source: sigs.k8s.io/yaml v1.6.0 over go.yaml.in/yaml/v2 (resolve.go resolve, decode.go scalar).
import type { ScalarValue } from "./tree.ts";

/** A typed scalar; `problem` says why Kubernetes cannot convert it, null when it can. */
export interface TypedScalar {
  readonly value: ScalarValue;
  readonly problem: string | null;
}

const TRUE: ScalarValue = { type: "bool", value: true };
const FALSE: ScalarValue = { type: "bool", value: false };
const NULL: ScalarValue = { type: "null" };

const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, TRUE] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, FALSE] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, NULL] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, number(Number.NaN)] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map(
    (word) => [word, number(Number.POSITIVE_INFINITY)] as const,
  ),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, number(Number.NEGATIVE_INFINITY)] as const),
]);
const LONGEST_WORD = 5;

/** First characters (ASCII) after which a plain scalar can be anything but text. */
const TYPED_STARTS: ReadonlySet<number> = new Set([..."+-0123456789yYnNtTfFoO~."].map((char) => char.charCodeAt(0)));

const DOT = 46;
const DOT_FLOAT = /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|([1-9][0-9]*|0))$/;
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ]\d{1,2}:\d{1,2}:\d{1,2})/;
const INT64_MAX = 2n ** 63n;
const UINT64_MAX = 2n ** 64n;

/**
 * The type of a plain scalar without tag. `source` is its text as YAML reads it (folded, trimmed). Infinities and NaN
 * come out as numbers, though Kubernetes cannot convert them (see `typeTagged`).
 */
export function typePlain(source: string): ScalarValue {
  if (source.length === 0) return NULL;
  const first = source.charCodeAt(0);
  if (!TYPED_STARTS.has(first)) return { type: "string", value: source };
  if (source.length <= LONGEST_WORD) {
    const word = WORDS.get(source);
    if (word !== undefined) return word;
  }
  const value = first === DOT ? dotFloat(source) : numeric(source, first);
  return value === null ? { type: "string", value: source } : number(value);
}

/**
 * The type of any scalar.
 * @param source the text as YAML reads it, without quotes
 * @param plain whether it stands without quotes and is no block scalar
 * @param tag as written (`!!str`, `!foo`), null without
 */
export function typeScalar(source: string, plain: boolean, tag: string | null): TypedScalar {
  if (tag === null) {
    if (!plain) return { value: { type: "string", value: source }, problem: null };
    return convertible(typePlain(source), source);
  }
  return typeTagged(source, shortTag(tag));
}

/**
 * The text of a scalar as a key of the JSON object that Kubernetes sees (`yes: 1` has the key `true`).
 * @param source the text as YAML reads it, which tells `1e6` from `1000000`
 */
export function jsonKey(source: string, value: ScalarValue): string {
  switch (value.type) {
    case "string":
      return value.value;
    case "bool":
      return value.value ? "true" : "false";
    case "null":
      return "null";
    case "number":
      return integerText(source) ?? float32Key(value.value);
  }
}

/** Why a scalar cannot be a key in JSON, null when it can. Infinities can, integers above 63 bits cannot. */
export function keyProblem(source: string, value: ScalarValue): string | null {
  if (value.type === "null") return "an empty key cannot be converted to JSON; quote it if text is meant";
  const integer = value.type === "number" ? integerText(source) : null;
  if (integer === null || integer.length < 19 || BigInt(integer) < INT64_MAX) return null;
  return `the number ${source} is too large for a key; quote it if text is meant`;
}

function typeTagged(source: string, tag: string): TypedScalar {
  const text: TypedScalar = { value: { type: "string", value: source }, problem: null };
  if (tag === "!!binary") {
    const bytes = Buffer.from(source, "base64");
    const valid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(
      source.replace(/[\r\n]/g, ""),
    );
    const problem = valid ? null : "the text after !!binary is no base64";
    return { value: { type: "string", value: bytes.toString("utf8") }, problem };
  }
  if (tag === "!!timestamp") {
    // Timestamps stay text; what is none is refused.
    const fits = typePlain(source).type === "string" && TIMESTAMP.test(source);
    return fits ? text : { ...text, problem: `"${source}" cannot be read as ${tag}` };
  }
  if (tag !== "!!bool" && tag !== "!!int" && tag !== "!!float" && tag !== "!!null") return text;
  const value = typePlain(source);
  const fits =
    (tag === "!!bool" && value.type === "bool") ||
    (tag === "!!null" && value.type === "null") ||
    (tag === "!!int" && value.type === "number" && integerText(source) !== null) ||
    (tag === "!!float" && value.type === "number");
  return fits ? convertible(value, source) : { ...text, problem: `"${source}" cannot be read as ${tag}` };
}

function shortTag(tag: string): string {
  const verbatim = tag.startsWith("!<") && tag.endsWith(">") ? tag.slice(2, -1) : tag;
  const prefix = "tag:yaml.org,2002:";
  return verbatim.startsWith(prefix) ? `!!${verbatim.slice(prefix.length)}` : verbatim;
}

function convertible(value: ScalarValue, source: string): TypedScalar {
  const problem =
    value.type === "number" && !Number.isFinite(value.value)
      ? `${source} cannot be converted to JSON, so Kubernetes refuses the document; quote it if text is meant`
      : null;
  return { value, problem };
}

function number(value: number): ScalarValue {
  return { type: "number", value };
}

/** Go's ParseFloat of a text that begins with a dot, underscores not removed. */
function dotFloat(source: string): number | null {
  return DOT_FLOAT.test(source) ? finite(Number(source.replaceAll("_", ""))) : null;
}

function numeric(source: string, first: number): number | null {
  // Words (`node`, `Foo`) share their first letters with `no` and `false`, and are no numbers.
  if (first > 57) return null;
  const plain = source.includes("_") ? source.replaceAll("_", "") : source;
  const integer = parseInteger(plain);
  if (integer !== null) return Number(integer);
  return FLOAT.test(plain) ? finite(Number(plain)) : null;
}

/** Go's ParseInt and ParseUint with base 0: up to 64 bits, a leading 0 means octal; null when it is none. */
function parseInteger(text: string): number | bigint | null {
  const match = INTEGER.exec(text);
  if (match === null) return null;
  const [, sign, hex, octal, binary, oldOctal, decimal] = match;
  const digits = hex ?? octal ?? binary ?? oldOctal ?? decimal ?? "";
  const base = hex !== undefined ? 16 : (octal ?? oldOctal) !== undefined ? 8 : binary !== undefined ? 2 : 10;
  if (digits.length <= 10) {
    const small = Number.parseInt(digits, base);
    return sign === "-" && small !== 0 ? -small : small;
  }
  const prefix = base === 16 ? "0x" : base === 8 ? "0o" : base === 2 ? "0b" : "";
  const large = BigInt(prefix + digits);
  // ParseUint takes no sign.
  const limit = sign === "-" ? INT64_MAX + 1n : sign === "+" ? INT64_MAX : UINT64_MAX;
  if (large >= limit) return null;
  return sign === "-" ? -large : large;
}

/** The exact decimal digits of an integer as written in any base; null when it is none. */
function integerText(source: string): string | null {
  return parseInteger(source.replaceAll("_", ""))?.toString() ?? null;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Go's FormatFloat(value, 'g', -1, 32), which sigs.k8s.io/yaml uses for keys that are floats. */
function float32Key(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return value > 0 ? ".inf" : "-.inf";
  if (single === 0) return Object.is(single, -0) ? "-0" : "0";
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toExponential(digits - 1))) !== single) digits++;
  const [mantissa = "", power = "0"] = single.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(`${mantissa}e${power}`));
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
