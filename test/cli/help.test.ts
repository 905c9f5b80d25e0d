// The help of each command promises what the command does: its formats, and where the cluster may come from.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../server/src/cli/commands.ts";
import { FORMATS } from "../../server/src/cli/settings.ts";
import { taintwise } from "./command.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "taintwise-help-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** What a command needs beside --format to answer. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  check: ["manifests"],
  fix: ["manifests", "--dry-run"],
  explain: ["--cluster", "cluster.yaml"],
  triage: ["--cluster", "cluster.yaml"],
  preflight: ["--node", "cpu-1", "--taint", "a:NoExecute", "--cluster", "cluster.yaml"],
  nodes: ["--cluster", "cluster.yaml"],
  coverage: ["--cluster", "cluster.yaml"],
  snapshot: ["--cluster", "cluster.yaml", "-o", join(FOLDER, "cluster.gz")],
  contexts: [],
};

describe("--format in a command's help", () => {
  it.each(COMMANDS.filter(({ options }) => options.includes("format")).map(({ name }) => name))("%s", (name) => {
    const { stdout } = taintwise([name, "--help"]);
    const [, words = ""] = /--format FORMAT\s+(.+)/.exec(stdout) ?? [];
    const promised = FORMATS.filter((format) => words.includes(format));
    const refused = FORMATS.filter((format) =>
      taintwise([name, ...(CALLS[name] ?? []), "--format", format]).stderr.includes(`${name} has no --format`),
    );
    expect(promised).toEqual(FORMATS.filter((format) => !refused.includes(format)));
  });
});

describe("a cluster from standard input", () => {
  it.each([
    ["lsp", "lsp cannot read a cluster from standard input, which carries the protocol; name a file."],
    ["watch", "watch cannot follow standard input; name a file or a context."],
  ])("%s takes none, and its help does not offer it", (name, reason) => {
    expect(taintwise([name, "--help"]).stdout).toMatch(/--cluster FILE +The cluster/);
    expect(taintwise([name, "--cluster", "-"])).toEqual({ stdout: "", stderr: `taintwise: ${reason}\n`, status: 2 });
  });
});

it("help of a command that there is not is told", () => {
  const { stderr, status } = taintwise(["help", "trriage"]);
  expect(stderr).toContain('Unknown command "trriage". Did you mean "triage"?');
  expect(status).toBe(2);
});
