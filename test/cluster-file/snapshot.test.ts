// Our own snapshot: what is written is read back, and nothing else gets in.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { readSnapshot } from "../../server/src/cluster/snapshot/read-snapshot.ts";
import { saveSnapshot } from "../../server/src/cluster/snapshot/save-snapshot.ts";
import { writeSnapshot } from "../../server/src/cluster/snapshot/write-snapshot.ts";
import { clusterArbitrary } from "./random-cluster.ts";
import { fixture, read, withoutPlaces } from "./support.ts";

const RACK = withoutPlaces(read(fixture("rack.yaml")).model);

describe("a model comes back as it was", () => {
  it("from the rack's dump", () => {
    expect(readSnapshot(writeSnapshot(RACK)).model).toEqual({ ...RACK, origin: "cache" });
  });

  it("whatever it holds", () => {
    fc.assert(
      fc.property(clusterArbitrary(), (model: ClusterModel) => {
        expect(readSnapshot(writeSnapshot(model))).toEqual({ model: { ...model, origin: "cache" }, problem: null });
      }),
      { numRuns: 200 },
    );
  });

  it("and equal parts are one object again", () => {
    const [pod] = RACK.pods;
    const twins = [0, 1].map((index) => ({
      ...pod!,
      name: `p${index}`,
      spec: { ...pod!.spec, containers: [...pod!.spec.containers] },
    }));
    const [one, two] = readSnapshot(writeSnapshot({ ...RACK, pods: twins })).model?.pods ?? [];
    expect(one?.spec.containers).toBe(two?.spec.containers);
  });
});

describe("what a snapshot holds", () => {
  const text = gunzipSync(writeSnapshot(RACK)).toString("utf8");

  it("is JSON in lines that say their format first", () => {
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ format: "taintwise-snapshot", version: 1, name: "dump" });
    expect(lines.at(-1)).toEqual(["end"]);
  });

  it("has no environment variables", () => {
    expect(text).not.toMatch(/s3cr3t-value|API_TOKEN/);
  });
});

describe("what cannot be read says why", () => {
  const problemOf = (bytes: Uint8Array) => readSnapshot(bytes).problem;
  const plain = gunzipSync(writeSnapshot(RACK)).toString("utf8");

  it("a newer version", () => {
    expect(problemOf(gzipSync(plain.replace('"version":1', '"version":2')))).toBe(
      "the snapshot was written by a newer Taintwise (format 2, this one reads up to 1): update Taintwise or write the snapshot again",
    );
  });

  it("a cut off one", () => {
    const lines = plain.trimEnd().split("\n");
    expect(problemOf(Buffer.from(lines.slice(0, -1).join("\n")))).toBe(
      "the snapshot is damaged or cut off (the last line should be the end mark): write it again",
    );
    expect(problemOf(writeSnapshot(RACK).subarray(0, 300))).toBe(
      "the snapshot is damaged or cut off (its gzip cannot be unpacked): write it again",
    );
  });

  it("a damaged one, with the place", () => {
    expect(problemOf(Buffer.from(plain.replace('"effect":"NoSchedule"', '"effect":"Never"')))).toMatch(
      /^the snapshot is damaged or cut off \(nodes\[\d\]\.taints\[0\]\.effect should be one of NoSchedule, PreferNoSchedule, NoExecute\): write it again$/,
    );
  });

  it("anything else", () => {
    expect(problemOf(Buffer.from("apiVersion: v1"))).toBe("this is no Taintwise snapshot");
  });

  it("damage anywhere never throws and never gives half a model", () => {
    const bytes = Buffer.from(plain);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 2 }), fc.nat({ max: 255 }), fc.boolean(), (at, byte, cut) => {
        const damaged = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
        if (!cut) damaged[at] = byte;
        const { model, problem } = readSnapshot(damaged);
        expect(model === null).toBe(problem !== null);
        if (cut) expect(model).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});

it("is saved whole, with nothing left beside it, and only for its owner", async () => {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-snapshot-"));
  try {
    const path = join(folder, "prod.snapshot");
    await saveSnapshot(path, RACK);
    await saveSnapshot(path, { ...RACK, name: "second" });
    expect(readSnapshot(readFileSync(path)).model?.name).toBe("second");
    expect(readdirSync(folder)).toEqual(["prod.snapshot"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
