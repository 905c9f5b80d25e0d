// Command-line layer: help texts, made from the tables of commands and options.
import { VERSION } from "../../../shared/src/version.ts";
import { padTo, wrap } from "../report/text-layout.ts";
import { COMMANDS, type Command } from "./commands.ts";
import { OPTIONS, type OptionName, type OptionSpec } from "./options.ts";

const WIDTH = 100;

/** The overview: `taintwise --help`. */
export function overview(): string {
  const widest = Math.max(...COMMANDS.map((command) => command.name.length));
  return [
    `taintwise ${VERSION}: which nodes your Kubernetes workloads cannot live on, and why`,
    "",
    "Usage: taintwise COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...COMMANDS.map((command) => `  ${padTo(command.name, widest)}  ${command.summary}`),
    "",
    "taintwise COMMAND --help tells more; taintwise --version prints the version.",
    "Exit status: 0 clean, 1 findings at or above --fail-on, 2 something asked for is unusable.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const options = [...command.options, "help" as const].map((name) => ({
    name,
    spec: { ...OPTIONS[name], ...command.wording[name] },
  }));
  const labels = options.map(({ name, spec }) => label(name, spec));
  const widest = Math.max(...labels.map((text) => text.length));
  const aliases = command.aliases.length === 0 ? [] : ["", `Also: taintwise ${command.aliases.join(", taintwise ")}`];
  return [
    `Usage: taintwise ${[command.name, command.operands, "[OPTIONS]"].filter((part) => part !== "").join(" ")}`,
    "",
    `${command.summary}.`,
    ...wrap(command.details, WIDTH),
    ...aliases,
    "",
    "Options:",
    ...options.flatMap(({ spec }, index) => optionLines(labels[index] ?? "", spec, widest)),
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

function label(name: OptionName, spec: OptionSpec): string {
  const short = spec.short === null ? "" : `-${spec.short}, `;
  return spec.value === null ? `${short}--${name}` : `${short}--${name} ${spec.value}`;
}

function optionLines(text: string, spec: OptionSpec, widest: number): readonly string[] {
  const lines = wrap(spec.summary, WIDTH - widest - 4);
  return lines.map((line, index) => `  ${padTo(index === 0 ? text : "", widest)}  ${line}`);
}
