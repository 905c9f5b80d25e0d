// Command-line layer: values of the common options, read into types. Each names what it would have taken.
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../../shared/src/codes.ts";
import { SEVERITIES, type Severity } from "../../../shared/src/severity.ts";
import { nearest } from "../text/nearest.ts";
import type { Arguments } from "./arguments.ts";
import type { OptionName } from "./options.ts";
import { Unusable } from "./unusable.ts";

export const FORMATS = ["text", "json", "sarif", "github", "markdown"] as const;
export type Format = (typeof FORMATS)[number];

/** The value of an option that takes one of a few words. */
export function choice<Word extends string>(
  args: Arguments,
  option: OptionName,
  words: readonly Word[],
  fallback: Word,
): Word {
  const value = args.one(option);
  return value === null ? fallback : wordOf(value, words, `--${option}`);
}

/** --format; a command that has not all formats names its own. */
export function formatOf<Known extends Format>(args: Arguments, command: string, known: readonly Known[]): Known {
  const format = choice<Format>(args, "format", FORMATS, "text");
  const found = known.find((candidate) => candidate === format);
  if (found === undefined) throw new Unusable(`${command} has no --format ${format}; it has ${known.join(", ")}.`);
  return found;
}

/** --fail-on. */
export function failOnOf(args: Arguments, fallback: Severity | "never"): Severity | "never" {
  return choice(args, "fail-on", [...SEVERITIES, "never"], fallback);
}

/** --code; null when every code is meant. */
export function codesOf(args: Arguments): ReadonlySet<DiagnosticCode> | null {
  const words = listOf(args, "code");
  return words.length === 0 ? null : new Set(words.map((word) => wordOf(word, DIAGNOSTIC_CODES, "--code")));
}

/** Every value of an option that takes a comma-separated list and repeats. */
export function listOf(args: Arguments, option: OptionName): readonly string[] {
  return args
    .all(option)
    .flatMap((value) => value.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** --now as milliseconds since the epoch; null when it was not given. */
export function nowOf(args: Arguments): number | null {
  const value = args.one("now");
  if (value === null) return null;
  const time = RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Unusable(`--now "${value}" is no time such as 2026-03-02T10:00:00Z.`);
  return time;
}

function wordOf<Word extends string>(value: string, words: readonly Word[], option: string): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const close = nearest(value, words);
  const hint = close === null ? "" : ` Did you mean ${close}?`;
  throw new Unusable(`${option} "${value}" is not known.${hint} It takes ${words.join(", ")}.`);
}
