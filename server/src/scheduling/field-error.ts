// Scheduling layer: a refusal as the API server words it.

/** One reason to refuse an object. */
export interface FieldError {
  /** Path from the root that was given, e.g. `spec.tolerations[0].effect`. */
  readonly field: string;
  /** The reason alone, without type and value; may be empty. */
  readonly detail: string;
  /** What the API server prints behind `field: `, e.g. `Invalid value: "a b": …`. */
  readonly message: string;
}

/** Source: k8s.io/apimachinery field.Invalid; `value` is printed as a Go string. */
export function invalidString(field: string, value: string, detail: string): FieldError {
  return { field, detail, message: `Invalid value: ${quoteGo(value)}: ${detail}` };
}

/** Source: field.Invalid on a named string type, which is printed as JSON. */
export function invalidEnum(field: string, value: string, detail: string): FieldError {
  return { field, detail, message: `Invalid value: ${quoteJson(value)}: ${detail}` };
}

/** Source: field.NotSupported on a named string type. */
export function notSupported(field: string, value: string, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map(quoteGo).join(", ")}`;
  return { field, detail, message: `Unsupported value: ${quoteJson(value)}: ${detail}` };
}

/** Source: field.Required. */
export function required(field: string, detail: string): FieldError {
  return { field, detail, message: `Required value: ${detail}` };
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** Quotes as Go's %q does: control and other unprintable characters escaped, letters of every script kept. */
export function quoteGo(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const named = NAMED_ESCAPES[character];
    if (named !== undefined) quoted += named;
    else if (isPrintable(character)) quoted += character;
    else quoted += escapeCodePoint(character.codePointAt(0) ?? 0);
  }
  return `${quoted}"`;
}

/** Source: Go unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and the ASCII blank. */
function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

function escapeCodePoint(code: number): string {
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Quotes as Go's encoding/json does, which also escapes `<`, `>`, `&` and the two line separators. */
export function quoteJson(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
