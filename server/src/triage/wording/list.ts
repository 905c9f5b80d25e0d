// Triage layer, wording: lists of names, quotes.

/** `a, b and c`; of more than `limit` names the rest is counted: `a, b and 7 more`. */
export function listNames(names: readonly string[], limit = 4): string {
  const shown = names.length > limit ? names.slice(0, limit - 1) : names;
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  if (parts.length <= 1) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

/** Colours and cursor moves that programs write into their last words. */
const TERMINAL_SEQUENCE = /(?!\s)\p{Cc}\[[\d;?]*[A-Za-z]/gu;

/** The text in quotes, on one line, without what only a terminal reads, cut where it is longer than a person reads. */
export function quote(text: string, limit = 220): string {
  const line = text
    .replace(TERMINAL_SEQUENCE, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return `"${line.length > limit ? `${line.slice(0, limit - 1)}…` : line}"`;
}

/** `1 pod`, `3 pods`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
