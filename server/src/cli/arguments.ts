// Command-line layer: words of the command line into options and operands.
import { nearest } from "../text/nearest.ts";
import { isOptionName, OPTIONS, type OptionName } from "./options.ts";
import { Unusable } from "./unusable.ts";

/** The parsed arguments of one command. */
export interface Arguments {
  /** What is no option, in order. */
  readonly operands: readonly string[];
  /** Every value of an option in order; empty when it was not given. */
  readonly all: (name: OptionName) => readonly string[];
  /** The value of an option; null when it was not given. */
  readonly one: (name: OptionName) => string | null;
  /** Whether a switch was given. */
  readonly has: (name: OptionName) => boolean;
}

/**
 * Parses the words behind a command's name: `--name value`, `--name=value`, `-o value`, `-ovalue`; `--` ends the options,
 * and a lone `-` is an operand (standard input).
 * Throws Unusable, naming the word, for an unknown option, a missing or a superfluous value, and a repeated single option.
 */
export function parseArguments(words: readonly string[], allowed: readonly OptionName[], command: string): Arguments {
  const given = new Map<OptionName, string[]>();
  const operands: string[] = [];
  let index = 0;
  let optionsEnded = false;
  while (index < words.length) {
    const word = words[index] ?? "";
    index += 1;
    if (word === "") throw new Unusable(`An argument of "${command}" is empty.`);
    if (optionsEnded || word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    if (word === "--") {
      optionsEnded = true;
      continue;
    }
    const { name, attached, shown } = splitOption(word, allowed, command);
    const spec = OPTIONS[name];
    const values = given.get(name) ?? [];
    if (values.length > 0 && !spec.repeats && spec.value !== null) {
      throw new Unusable(`${shown} is given twice.`);
    }
    if (spec.value === null) {
      if (attached !== null) throw new Unusable(`${shown} takes no value, but got "${attached}".`);
      values.push("");
    } else {
      const value = attached ?? words[index];
      if (attached === null) index += 1;
      const isOption = attached === null && value?.startsWith("-") === true && value !== "-";
      if (value === undefined || value === "" || isOption) {
        throw new Unusable(`${shown} needs a value: ${shown} ${spec.value}.`);
      }
      values.push(value);
    }
    given.set(name, values);
  }
  return {
    operands,
    all: (name) => given.get(name) ?? [],
    one: (name) => given.get(name)?.[0] ?? null,
    has: (name) => given.has(name),
  };
}

function splitOption(
  word: string,
  allowed: readonly OptionName[],
  command: string,
): { readonly name: OptionName; readonly attached: string | null; readonly shown: string } {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    if (isOptionName(name) && (allowed.includes(name) || name === "help")) {
      return { name, attached: equals < 0 ? null : word.slice(equals + 1), shown: `--${name}` };
    }
    const close = nearest(name, allowed);
    const hint = close === null ? "" : ` Did you mean --${close}?`;
    throw new Unusable(`Unknown option --${name} for "${command}".${hint} See taintwise ${command} --help.`);
  }
  const letter = word.slice(1, 2);
  const name = [...allowed, "help" as const].find((option) => OPTIONS[option].short === letter);
  if (name === undefined) {
    throw new Unusable(`Unknown option ${word} for "${command}". See taintwise ${command} --help.`);
  }
  const rest = word.slice(2);
  return {
    name,
    attached: rest === "" ? null : rest.startsWith("=") ? rest.slice(1) : rest,
    shown: `-${letter}`,
  };
}
