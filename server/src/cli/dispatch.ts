// Command-line layer: finds the command that was called, and hands it its arguments.

import { nearest } from "../text/nearest.ts";
import { parseArguments } from "./arguments.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";
import type { ExitCode, Host } from "./host.ts";
import { Unusable } from "./unusable.ts";

/** Runs the command that the words name. Throws Unusable when they name none, or it cannot be served. */
export async function dispatch(words: readonly string[], host: Host): Promise<ExitCode> {
  const [first] = words;
  if (first === undefined) {
    host.stderr.write(overview());
    return 2;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const [about] = first === "help" ? words.slice(1) : [];
    const topic = about === undefined ? null : findCommand(words.slice(1));
    if (about !== undefined && topic === null) throw unknownCommand(about);
    host.stdout.write(topic === null ? overview() : commandHelp(topic.command));
    return 0;
  }
  const found = findCommand(words);
  if (found === null) throw unknownCommand(first);
  const args = parseArguments(found.rest, found.command.options, found.command.name);
  if (args.has("help")) {
    host.stdout.write(commandHelp(found.command));
    return 0;
  }
  const { run } = await found.command.load();
  return run(args, host);
}

function unknownCommand(word: string): Unusable {
  const names = COMMANDS.map((command) => command.name);
  const close = nearest(word, names);
  const what = word.startsWith("-") ? "option" : "command";
  const hint = close === null ? "" : ` Did you mean "${close}"?`;
  return new Unusable(`Unknown ${what} "${word}".${hint} Commands: ${names.join(", ")}.`);
}
