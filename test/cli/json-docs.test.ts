// docs/json.md against real outputs: the examples there have exactly the keys that the commands print.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { taintwise } from "./command.ts";

const DOCS = readFileSync(new URL("../../docs/json.md", import.meta.url), "utf8");

const FOLDER = mkdtempSync(join(tmpdir(), "taintwise-json-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Runs that together print every part of a command's output. */
const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  check: [["check", "manifests", "--cluster", "cluster.yaml"]],
  fix: [
    ["fix", "manifests", "--dry-run"],
    ["fix", "broken.yaml", "--dry-run"],
  ],
  explain: [["explain", "manifests", "--cluster", "cluster.yaml"]],
  triage: [
    ["triage", "--cluster", "cluster.yaml"],
    ["triage", "--cluster", "shared-cause.yaml"],
    ["triage", "rdma-1", "--cluster", "cluster.yaml", "--steps"],
  ],
  preflight: [
    ["preflight", "--selector", "pool=cpu", "--taint", "maintenance:NoExecute", "--cluster", "cluster.yaml"],
    ["preflight", "--selector", "kubernetes.io/os=linux", "--taint", "a:NoExecute", "--cluster", "cluster.yaml"],
  ],
  nodes: [["nodes", "--cluster", "cluster.yaml"]],
  coverage: [["coverage", "--cluster", "cluster.yaml"]],
  snapshot: [["snapshot", "--cluster", "cluster.yaml", "-o", join(FOLDER, "cluster.taintwise.gz")]],
};

/** The paths of a document's keys, `[]` for items of a list. */
function keyPaths(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keyPaths(item, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${at}.${key}`, ...keyPaths(inner, `${at}.${key}`)]);
}

function distinct(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}

/** The example under a command's heading. */
function example(command: string): unknown {
  const section = DOCS.split(/^## /m).find((part) => part.startsWith(`${command}\n`));
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(section ?? "")?.[1] ?? "null");
}

describe("docs/json.md", () => {
  it.each(Object.entries(RUNS))("%s", (command, runs) => {
    const printed = runs.flatMap((words) => keyPaths(JSON.parse(taintwise([...words, "--format", "json"]).stdout)));
    const documented = distinct(keyPaths(example(command)));
    expect(documented.filter((path) => !printed.includes(path))).toEqual([]);
    expect(distinct(printed).filter((path) => !documented.includes(path))).toEqual([]);
  });
});
