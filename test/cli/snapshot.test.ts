// A snapshot answers like the dump that it was made of.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FIXTURES, taintwise } from "./command.ts";

let folder = "";
let snapshot = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-"));
  snapshot = join(folder, "cluster.taintwise.gz");
  const { stdout, stderr, status } = taintwise(["snapshot", "--cluster", "cluster.yaml", "-o", snapshot]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toMatch(/: cluster with 4 nodes and 6 pods, observed at 2026-03-02T09:59:00Z, \d+ KiB\.\n$/);
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  [["check", "manifests", "--format", "json"]],
  [["explain", "manifests", "--format", "json"]],
  [["triage", "--format", "json"]],
  [["triage", "--format", "markdown"]],
  [["nodes", "--format", "json"]],
  [["preflight", "--node", "cpu-1", "--taint", "a:NoExecute", "--format", "json"]],
])("%j", (words) => {
  const ofDump = taintwise([...words, "--cluster", "cluster.yaml"]);
  expect(taintwise([...words, "--cluster", snapshot])).toEqual(ofDump);
  expect(
    taintwise([...words, "--cluster", "-"], { input: readFileSync(join(FIXTURES, "cluster.yaml"), "utf8") }),
  ).toEqual({
    ...ofDump,
    stdout: ofDump.stdout.replaceAll(/"cluster(?=",|: )/g, '"stdin').replace("Cluster cluster", "Cluster stdin"),
    stderr: ofDump.stderr.replace("cluster:", "stdin:"),
  });
});

it("says in JSON what was written, and where", () => {
  const file = join(folder, "again.gz");
  const { stdout } = taintwise(["snapshot", "--cluster", "cluster.yaml", "-o", file, "--format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    clusters: [{ name: "cluster", nodes: 4 }],
    file,
    bytes: statSync(file).size,
  });
});

it("names a folder that is not there, before it reads anything, and makes none", () => {
  const { stderr, status } = taintwise(["snapshot", "--cluster", "gone.yaml", "-o", "nowhere/cluster.gz"], {
    cwd: folder,
  });
  expect({ stderr, status }).toEqual({
    stderr: "taintwise: nowhere/cluster.gz: cannot be written: there is no folder nowhere. Make it first.\n",
    status: 2,
  });
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
});
