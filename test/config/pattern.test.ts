// Patterns of the workspace file.
import { describe, expect, it } from "vitest";
import {
  matchesName,
  matchesPath,
  matchesTaint,
  matchesWorkload,
  parseTaintPattern,
  parseWorkloadPattern,
} from "../../server/src/config/pattern.ts";

describe("a name pattern", () => {
  it.each([
    ["db-*", "db-1", true],
    ["db-*", "odb-1", false],
    ["*-?", "node-1", true],
    ["*-?", "node-12", false],
    ["*", "", true],
    ["a*b*c", "a--b--b-c", true],
    ["A", "a", false],
  ])("%s against %s", (pattern, name, expected) => expect(matchesName(pattern, name)).toBe(expected));
});

describe("a path glob", () => {
  it.each([
    ["a/*.yaml", "a/b.yaml", true],
    ["a/*.yaml", "a/b/c.yaml", false],
    ["a/**", "a/b/c.yaml", true],
    ["**/c.yaml", "c.yaml", true],
    ["a/**/c.yaml", "a/c.yaml", true],
    ["a/", "a/b/c.yaml", true],
    ["a", "a/b/c.yaml", true],
    ["./a/{b,c}/*.yaml", "a/c/x.yaml", true],
    ["a/{b,c}/*.yaml", "a/d/x.yaml", false],
    ["vendor/**", "vendors/x.yaml", false],
  ])("%s against %s", (glob, path, expected) => expect(matchesPath(glob, path)).toBe(expected));
});

describe("a taint pattern", () => {
  const taint = { key: "example.com/busy", value: "yes", effect: "NoSchedule" } as const;
  it.each([
    ["example.com/busy", true],
    ["example.com/*", true],
    ["example.com/busy:NoExecute", false],
    ["example.com/busy=yes:NoSchedule", true],
    ["example.com/busy=:NoSchedule", false],
  ])("%s", (text, expected) => {
    const pattern = parseTaintPattern(text);
    expect(pattern !== null && matchesTaint(pattern, taint)).toBe(expected);
  });

  it.each(["", "a b", "a:Never", "=x", "a=b=c:NoSchedule"])("%j is none", (text) => {
    expect(parseTaintPattern(text)).toBeNull();
  });
});

describe("a workload pattern", () => {
  const ref = { kind: "DaemonSet", namespace: "logging", name: "shipper" };
  it.each([
    ["shipper", true],
    ["DaemonSet/shipper", true],
    ["Deployment/shipper", false],
    ["*/logging/ship*", true],
    ["DaemonSet/other/shipper", false],
  ])("%s", (text, expected) => {
    const pattern = parseWorkloadPattern(text);
    expect(pattern !== null && matchesWorkload(pattern, ref)).toBe(expected);
  });

  it("matches a manifest without namespace", () => {
    const pattern = parseWorkloadPattern("DaemonSet/logging/shipper");
    expect(pattern !== null && matchesWorkload(pattern, { ...ref, namespace: null })).toBe(true);
  });

  it.each(["", "a//b", "a/b/c/d", "a b"])("%j is none", (text) => {
    expect(parseWorkloadPattern(text)).toBeNull();
  });
});
