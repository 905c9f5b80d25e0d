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
    if (words[0] === "--version") {
      host.stdout.write(`${VERSION}\n`);
      return 0;
    }
    // Loaded only now: --version needs none of it.
    const { dispatch } = await import("./dispatch.ts");
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
