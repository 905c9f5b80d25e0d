// Lines that a person finds typed into a terminal: each shell must read back the words they were made from.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Shell, shellLine, shellOf } from "../../shared/src/shell.ts";

/** What a kubeconfig may call a context, and what names look like. */
const WORDS = [
  "plain-1.0",
  "arn:aws:eks:eu-central-1:1234:cluster/prod",
  "prod (old)",
  "it's prod",
  'the "blue" one',
  "C:\\Users\\ops\\kube config",
  "a&b|c>d",
  "$HOME`id`",
  "%PATH%!x!^",
  "@home",
  "jsonpath={.spec.taints} {.status.allocatable}",
  "--sort-by=.lastTimestamp",
  "back\\",
  "",
];

describe("a line", () => {
  const line = (shell: Shell) =>
    WORDS.map((word) => `${JSON.stringify(word)} → ${shellLine([word], shell)}\n`).join("");
  for (const shell of ["posix", "fish", "powershell", "windows-powershell", "cmd"] as const) {
    it(`for ${shell}`, () => expect(line(shell)).toMatchFileSnapshot(`./golden/shell-${shell}.txt`));
  }

  it("shows what a terminal would obey as a replacement character", () => {
    expect(shellLine(["a\nrm -rf /", "\u001b[A"], "posix")).toBe("'a\ufffdrm -rf /' '\ufffd[A'");
  });

  it("is read back by sh word for word", () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom(..."ab '\"\\$`!*?[]{}()<>|&;#~=%^@,é") }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, (written) => {
        const seen = execFileSync("sh", ["-c", `printf '%s\\0' ${shellLine(written, "posix")}`], { encoding: "utf8" });
        expect(seen.split("\0").slice(0, -1)).toEqual(written);
      }),
      { numRuns: 40 },
    );
  });

  it("is read back by cmd and the program behind it word for word", () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom(..."ab \"\\%!^&|<>()'=") }), { minLength: 1 });
    fc.assert(
      fc.property(words, (written) => {
        expect(argumentsOf(throughCmd(shellLine(written, "cmd")))).toEqual(written);
      }),
    );
  });
});

/** What cmd hands on: carets are taken away outside its quotes; a bare sign of its own there would be obeyed. */
function throughCmd(line: string): string {
  let out = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === "^" && !quoted) {
      at += 1;
      out += line.charAt(at);
      continue;
    }
    if (!quoted && /[&|<>]/.test(char)) throw new Error(`cmd obeys ${char} in ${line}`);
    if (char === "%") throw new Error(`cmd may replace what stands behind % in ${line}`);
    if (char === '"') quoted = !quoted;
    out += char;
  }
  return out;
}

/** Reads a command line as Windows programs do (CommandLineToArgvW). */
function argumentsOf(line: string): readonly string[] {
  const found: string[] = [];
  let word: string | null = null;
  let quoted = false;
  for (let at = 0; at < line.length; ) {
    const [, slashes = "", next = ""] = /^(\\*)(.?)/s.exec(line.slice(at)) ?? [];
    if (next === '"') {
      word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
      if (slashes.length % 2 === 1) word += '"';
      else quoted = !quoted;
    } else if (next === " " && !quoted) {
      if (slashes !== "") word = (word ?? "") + slashes;
      if (word !== null) found.push(word);
      word = null;
    } else {
      word = (word ?? "") + slashes + next;
    }
    at += slashes.length + next.length || 1;
  }
  return word === null ? found : [...found, word];
}

describe("the shell of a terminal", () => {
  it.each([
    ["/bin/bash", "posix"],
    ["/usr/bin/fish", "fish"],
    ["fish", "fish"],
    ["C:\\Windows\\System32\\cmd.exe", "cmd"],
    ["C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe", "windows-powershell"],
    ["C:\\Program Files\\PowerShell\\7\\pwsh.exe", "powershell"],
    ["C:\\Program Files\\Git\\bin\\bash.exe", "posix"],
    ["gitbash", "posix"],
    ["", "posix"],
  ] as const)("%s is %s", (name, shell) => {
    expect(shellOf(name)).toBe(shell);
  });
});
