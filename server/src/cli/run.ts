// Command-line layer: from words to an exit code. The one place that turns errors into a line for a person.
import { VERSION } from "../../../shared/src/version.ts";
import type { ExitCode, Host } from "./host.ts";
import { reasonOf, Unusable } from "./unusable.ts";

/**
 * Runs `taintwise WORDS`. In: the words behind the program's name. Out: the exit code; everything printed goes
 * through `host`. Never throws and never prints a stack.
 */
export async function run(words: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await dispatch(words, host);
  } catch (error) {
    const text =
      error instanceof Unusable
        ? error.message
        : `Internal error: ${reasonOf(error)}. This is a defect of Taintwise; please report it with the command.`;
    host.stderr.write(`taintwise: ${text}\n`);
    if (!(error instanceof Unusable) && host.env.TAINTWISE_DEBUG && error instanceof Error) {
      host.stderr.write(`${error.stack ?? ""}\n`);
    }
    return 2;
  }
}

async function dispatch(words: readonly string[], host: Host): Promise<ExitCode> {
  const [first] = words;
  if (first === "--version") {
    host.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { COMMANDS, findCommand } = await import("./commands.ts");
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    const topic = first === "help" ? findCommand(words.slice(1)) : null;
    const { commandHelp, overview } = await import("./help.ts");
    (first === undefined ? host.stderr : host.stdout).write(topic === null ? overview() : commandHelp(topic.command));
    return first === undefined ? 2 : 0;
  }
  const found = findCommand(words);
  if (found === null) {
    const { nearest } = await import("./nearest.ts");
    const names = COMMANDS.map((command) => command.name);
    const close = nearest(first, names);
    const what = first.startsWith("-") ? "option" : "command";
    throw new Unusable(
      `Unknown ${what} "${first}".${close === null ? "" : ` Did you mean "${close}"?`} Commands: ${names.join(", ")}.`,
    );
  }
  const { parseArguments } = await import("./arguments.ts");
  const args = parseArguments(found.rest, found.command.options, found.command.name);
  if (args.has("help")) {
    const { commandHelp } = await import("./help.ts");
    host.stdout.write(commandHelp(found.command));
    return 0;
  }
  const { run: runCommand } = await found.command.load();
  return runCommand(args, host);
}
