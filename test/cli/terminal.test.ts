// The process at its edges: colours, readers that go away, full disks, the version.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../shared/src/version.ts";
import { ENTRY, FIXTURES, taintwise } from "./command.ts";

const CHECK = ["check", "manifests/training.yaml"] as const;
const ESCAPE = "\u001b[";

/** Runs a line of shell in which `$NODE $ENTRY` is the command line. */
function shell(line: string) {
  const env = { PATH: process.env.PATH, NODE: process.execPath, ENTRY };
  return spawnSync("bash", ["-c", line], { cwd: FIXTURES, encoding: "utf8", env });
}

describe("colour", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ["none without a terminal", [], {}, false],
    ["--color always", ["--color", "always"], {}, true],
    ["--color always wins over NO_COLOR", ["--color", "always"], { NO_COLOR: "1" }, true],
    ["FORCE_COLOR", [], { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", [], { FORCE_COLOR: "0" }, false],
    ["NO_COLOR wins over FORCE_COLOR", [], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["--color never", ["--color", "never"], { FORCE_COLOR: "1" }, false],
  ])("%s", (_, words, env, coloured) => {
    expect(taintwise([...CHECK, ...words], { env }).stdout.includes(ESCAPE)).toBe(coloured);
  });
});

describe("output that cannot be written", () => {
  it("a reader that goes away ends the command without a word", () => {
    const { stderr, stdout } = shell(
      '"$NODE" "$ENTRY" check manifests --cluster cluster.yaml --format json | head -c 1',
    );
    expect(stdout).toBe("{");
    expect(stderr).not.toContain("EPIPE");
    expect(stderr).not.toContain("    at ");
  });

  it.skipIf(!existsSync("/dev/full"))("a full disk is told in one line", () => {
    const { stderr, status } = shell(`"$NODE" "$ENTRY" ${CHECK.join(" ")} > /dev/full`);
    expect(stderr).toContain("taintwise: The output cannot be written: no space left on the device.\n");
    expect(stderr).not.toContain("    at ");
    expect(status).toBe(2);
  });
});

it("the version is the package's", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(VERSION).toBe(version);
  expect(taintwise(["--version"])).toEqual({ stdout: `${version}\n`, stderr: "", status: 0 });
});
