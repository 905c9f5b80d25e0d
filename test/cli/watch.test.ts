// `taintwise watch` as a process: the table comes, follows the file, and ends when it is told to.
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ENTRY, FIXTURES, taintwise } from "./command.ts";

function watch(file: string) {
  const child = spawn(process.execPath, [ENTRY, "watch", "--cluster", file], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill();
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  /** Resolves when the output has it. */
  const shows = async (pattern: RegExp): Promise<string> => {
    for (const end = performance.now() + 15_000; !pattern.test(text); ) {
      if (performance.now() > end) throw new Error(`never printed ${pattern}:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return text;
  };
  return { child, shows };
}

it("prints the table, and again when the file is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "cluster.yaml");
  copyFileSync(join(FIXTURES, "cluster.yaml"), file);
  const { child, shows } = watch(file);
  await shows(/rdma-1 +Ready +dedicated=rdma:NoSchedule/);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("value: rdma", "value: other"));
  const text = await shows(/dedicated=other:NoSchedule/);
  expect(text).not.toContain("\u001b");
  child.kill("SIGINT");
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  expect(status).toBe("SIGINT");
});

it.each([
  [["watch"], /one cluster/],
  [["watch", "--cluster", "-"], /standard input/],
  [["watch", "--cluster", "gone.yaml"], /gone\.yaml/],
])("%j cannot be followed, and says why", (words, message) => {
  const { status, stderr } = taintwise(words);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});

it("coverage draws a picture that stands alone", () => {
  const { stdout, status } = taintwise(["coverage", "--cluster", "cluster.yaml", "--svg", "-"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(stdout.match(/(?:href|src|url\()/g)).toBeNull();
  expect(stdout).toContain("gap, 1/2 nodes. dedicated=rdma:NoSchedule is not tolerated");
});
