// A kubelet's measures: decoding them, and judging them against the thresholds of an unconfigured kubelet. The fixture
// has the shape of an answer of kubelet 1.37.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeNodeStats } from "../../../server/src/kube/decode/node-stats.ts";
import type { NodeStats } from "../../../server/src/kube/node-stats.ts";
import { judgeStats, type StatsSurroundings } from "../../../server/src/triage/on-node/judge-stats.ts";

const GIB = 1024 ** 3;
const NOW = Date.parse("2026-04-14T10:00:59Z");
const FULL_DISK: unknown = JSON.parse(
  readFileSync(new URL("./fixtures/full-disk.summary.json", import.meta.url), "utf8"),
);

const quiet: StatsSurroundings = { operatingSystem: "linux", pressures: [], clockAhead: 0, now: NOW };
const fs = (share: number, inodes: number | null = 0.9) => ({
  availableBytes: share * 100 * GIB,
  capacityBytes: 100 * GIB,
  inodesFree: inodes === null ? null : inodes * 1000,
  inodes: inodes === null ? null : 1000,
});
const well: NodeStats = {
  measuredAt: NOW - 10_000,
  memory: { availableBytes: 8 * GIB, workingSetBytes: 8 * GIB },
  nodeFs: fs(0.5),
  imageFs: fs(0.5),
  processes: { running: 300, limit: 32768 },
  stalls: { cpu: null, memory: null, io: null },
  pods: [],
};
const judge = (change: Partial<NodeStats>, around: Partial<StatsSurroundings> = {}) =>
  judgeStats({ ...well, ...change }, { ...quiet, ...around });

describe("a summary", () => {
  it("of a node with a full disk names the threshold, the users and the stalls", () => {
    const stats = decodeNodeStats(FULL_DISK);
    if (stats === null) throw new Error("the fixture is no summary");
    expect(judgeStats(stats, quiet)).toEqual({
      complete: true,
      found: [
        "The file system of node and images: 22.4Gi of 251.97Gi available (8.9 %), below the kubelet's default threshold (imagefs.available, 15 %): images are removed, then pods are evicted.",
      ],
      seen: [
        "Memory: 11.64Gi available of 23.59Gi.",
        "The node's file system: 16081997 of 16777216 inodes free (95.9 %).",
        "Processes and threads: 1318 of at most 32768 (4 %).",
        "In the last minute tasks waited for I/O 44 % of the time.",
        "Pods with the most disk: training/dataset-loader-0 (160Gi), monitoring/log-agent-k9 (2Gi), training/trainer-1 (1Mi).",
      ],
    });
  });
  it.each([[null], ["<html>"], [[]], [{}], [{ kind: "Status" }], [{ node: [] }]])("is not %j", (value) => {
    expect(decodeNodeStats(value)).toBeNull();
  });
  it("keeps what is there when fields are missing or of another type", () => {
    expect(decodeNodeStats({ node: { memory: { availableBytes: "much" }, fs: null }, pods: "none" })).toEqual({
      measuredAt: null,
      memory: { availableBytes: null, workingSetBytes: null },
      nodeFs: null,
      imageFs: null,
      processes: null,
      stalls: { cpu: null, memory: null, io: null },
      pods: [],
    });
  });
});

describe("judging", () => {
  it("finds nothing on a node that is well", () => {
    expect(judge({}).found).toEqual([]);
  });
  it("says of everything that was not measured that it is unknown", () => {
    const empty = { memory: null, nodeFs: null, imageFs: null, processes: null };
    expect(judge(empty)).toEqual({
      complete: false,
      found: [],
      seen: [
        "Available memory: not measured, so unknown.",
        "Free space: the node's file system: not measured, so unknown.",
        "Free space: the images' file system: not measured, so unknown.",
      ],
    });
  });
  it("holds memory against 100 MiB, on Windows against 500 MiB", () => {
    const memory = { availableBytes: 200 * 1024 ** 2, workingSetBytes: 8 * GIB };
    expect(judge({ memory }).found).toEqual([]);
    expect(judge({ memory }, { operatingSystem: "windows" }).found).toEqual([
      "Memory: 200Mi available of 8.2Gi, below the kubelet's default threshold (memory.available, 500Mi): pods are evicted.",
    ]);
  });
  it("holds disks of their own each against its own threshold", () => {
    const { found } = judge({ nodeFs: fs(0.12), imageFs: { ...fs(0.12), capacityBytes: 101 * GIB } });
    expect(found).toEqual([
      "The images' file system: 12Gi of 101Gi available (11.9 %), below the kubelet's default threshold (imagefs.available, 15 %): images are removed, then pods are evicted.",
    ]);
  });
  it("finds inodes that run out where bytes do not", () => {
    expect(judge({ nodeFs: fs(0.5, 0.03), imageFs: fs(0.5, 0.03) }).found).toEqual([
      "The node's file system: 30 of 1000 inodes free (3 %), below the kubelet's default threshold (nodefs.inodesFree, 5 %): images are removed, then pods are evicted.",
    ]);
  });
  it("counts no inodes where the file system has none", () => {
    expect(judge({ nodeFs: fs(0.5, null), imageFs: fs(0.5, null) }).seen.join()).not.toContain("inodes");
  });
  it("finds processes only near their limit", () => {
    expect(judge({ processes: { running: 30_000, limit: 32_768 } }).found).toEqual([]);
    expect(judge({ processes: { running: 32_000, limit: 32_768 } }).found).toEqual([
      "Processes and threads: 32000 of at most 32768 (97.7 %): new ones begin to fail.",
    ]);
  });
  it("explains a pressure that nothing measured bears out", () => {
    expect(judge({}, { pressures: ["DiskPressure"] }).seen).toContain(
      "DiskPressure is True though nothing is below a default threshold now: the kubelet keeps a pressure for five minutes after it ended, or its thresholds are set higher.",
    );
  });
  it("names the pods that use most only where a resource is short", () => {
    const pods = [{ namespace: "a", name: "b", memory: GIB, disk: GIB }];
    expect(judge({ pods }).seen.join()).not.toContain("Pods with");
    const memory = { availableBytes: 150 * 1024 ** 2, workingSetBytes: 8 * GIB };
    expect(judge({ pods, memory }).seen).toContain("Pods with the most memory: a/b (1Gi).");
  });
  it("tells a clock that is off, and measures that are old by the node's own clock", () => {
    expect(judge({}, { clockAhead: -125_000 }).found).toEqual([
      "The node's clock is 2 minutes behind the API server's: certificates and leases suffer, and times in its logs are off.",
    ]);
    expect(judge({}, { clockAhead: 20_000 }).found).toEqual([]);
    expect(judge({ measuredAt: NOW - 3_600_000 }).seen).toContain(
      "Measured 1 hour before: the kubelet does not measure any more.",
    );
    expect(judge({ measuredAt: NOW - 3_600_000 }, { clockAhead: -3_590_000 }).seen.join()).not.toContain("Measured");
  });
});
