// Shared by client and server: words as one line for a shell that a person types into. Pure text.

/** `windows-powershell` is the old one (5.1), which hands double quotes on to programs only behind a backslash. */
export type Shell = "posix" | "fish" | "powershell" | "windows-powershell" | "cmd";

/** The words as one line, each quoted where the shell needs it. */
export function shellLine(words: readonly string[], shell: Shell): string {
  return words.map((word) => quoted(printable(word), shell)).join(" ");
}

/** Quotes a word for a POSIX shell where it needs it. */
export function shellWord(word: string): string {
  return shellLine([word], "posix");
}

/** The shell that a program's path, or the editor's name of a shell, stands for; `posix` for all that are unknown. */
export function shellOf(name: string): Shell {
  const program = (name.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.exe$/, "");
  switch (program) {
    case "powershell":
      return "windows-powershell";
    case "pwsh":
    case "pwsh-preview":
      return "powershell";
    case "cmd":
    case "fish":
      return program;
    default:
      return "posix";
  }
}

/** Control characters, which no name in a cluster has, are replaced: a line editor would obey them even between quotes. */
function printable(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return word.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd");
}

const PLAIN = /^[A-Za-z0-9_./:=@%+-]+$/;
/** PowerShell takes a word that begins with a dash apart at a dot or a colon, and `@` and `%` have meanings of their own. */
const PLAIN_IN_POWERSHELL = /^([A-Za-z0-9_./][A-Za-z0-9_./:=+-]*|-[A-Za-z0-9_=+-]+)$/;
const PLAIN_IN_CMD = /^[A-Za-z0-9_./:=@+,-]+$/;

function quoted(word: string, shell: Shell): string {
  switch (shell) {
    case "posix":
      return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    case "fish":
      // Between its quotes fish knows \\ and \' and nothing else.
      return PLAIN.test(word) ? word : `'${word.replace(/[\\']/g, "\\$&")}'`;
    case "powershell":
      return PLAIN_IN_POWERSHELL.test(word) ? word : `'${word.replace(/['‘’‚‛]/g, "$&$&")}'`;
    case "windows-powershell":
      return PLAIN_IN_POWERSHELL.test(word)
        ? word
        : `'${word.replace(/['‘’‚‛]/g, "$&$&").replace(/(\\*)"/g, '$1$1\\"')}'`;
    case "cmd":
      return PLAIN_IN_CMD.test(word) ? word : forCmd(word);
  }
}

/**
 * Programs read the quotes, cmd reads carets. Where both would read something else, cmd is kept from seeing quotes at all,
 * and each of its own signs gets a caret. Source of the rules for backslashes: CommandLineToArgvW.
 */
function forCmd(word: string): string {
  const argument = `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
  return /["%!^]/.test(word) ? argument.replace(/[()%!^"<>&|]/g, "^$&") : argument;
}
