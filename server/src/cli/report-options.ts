// Command-line layer: the options that every command reads alike.

import { type Palette, paletteFor } from "../report/paint.ts";
import type { Arguments } from "./arguments.ts";
import type { Host } from "./host.ts";
import { choice } from "./settings.ts";

/** Colours for standard output as --color and the environment want them. */
export function paletteOf(args: Arguments, host: Host): Palette {
  return paletteFor(host.stdout, choice(args, "color", ["auto", "always", "never"], "auto"), host.env);
}

/** Prints what limits an answer to standard error, one line each. */
export function printNotes(notes: readonly string[], host: Host): void {
  for (const note of notes) host.stderr.write(`taintwise: ${note}\n`);
}
