// Bench: the section "Live clusters" of docs/benchmarks.md.
import { readFileSync, writeFileSync } from "node:fs";

const DOCS = new URL("../../../docs/benchmarks.md", import.meta.url);
const TITLE = "## Live clusters";

/** A row of the table, as people read it. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** Empty where there is none. */
  readonly limit: string;
  readonly beside: string;
}

/** Paragraphs, each followed by its table. */
export type Part = readonly [text: string, rows: readonly Row[]];

export function section(parts: readonly Part[]): string {
  return [TITLE, ...parts.flatMap(([text, rows]) => (rows.length === 0 ? [text] : [text, table(rows)]))].join("\n\n");
}

/** Puts the section in the place of the one that is there. */
export function writeSection(text: string): void {
  const written = readFileSync(DOCS, "utf8");
  const at = written.indexOf(`${TITLE}\n`);
  const before = at < 0 ? `${written.trimEnd()}\n\n` : written.slice(0, at);
  writeFileSync(DOCS, `${before}${text}\n`);
}

function table(rows: readonly Row[]): string {
  const head = ["what", "measured", "limit", "beside it"];
  const body = rows.map(({ what, measured, limit, beside }) => [what, measured, limit, beside]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median with the least and the most, of times in seconds: `6.2 s (5.9–7.1)`. */
export function spread(values: readonly number[], unit: string, digits = 1): string {
  const sorted = [...values].sort((left, right) => left - right);
  const all = sorted.map((value) => value.toFixed(digits));
  const range = sorted.length > 1 ? ` (${all[0]}–${all.at(-1)})` : "";
  return `${median(values).toFixed(digits)} ${unit}${range}`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A limit and whether it was missed. */
export function limit(value: number, most: number, text: string): string {
  return value <= most ? text : `${text} (missed)`;
}
