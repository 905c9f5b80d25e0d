// Manifests that look like a reported case and have another answer. Each fixture holds its cluster and, as `#=` lines,
// where its pods go (`Kind/name @ node -> verdict`) and everything that is said (`says SEVERITY CODE …`), nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { place } from "../../server/src/scheduling/place.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { readManifest } from "../../server/src/workload/read.ts";
import { clusterOf, diagnose, summary } from "../support/judge.ts";

const FOLDER = "test/cases/look-alikes";

describe("look-alike", () => {
  it.each(readdirSync(FOLDER).sort())("%s", (name) => {
    const text = readFileSync(`${FOLDER}/${name}`, "utf8");
    const cluster = clusterOf(text);
    const workloads = readManifest(text, { path: name }).documents.flatMap((document) =>
      document.workloads.map((item) => item.workload),
    );
    for (const [line, ref = "", node = "", verdict = "", key = ""] of text.matchAll(
      /^#= (\S+) @ (\S+) -> ([a-z]+)(?::(\S+))?$/gm,
    )) {
      const workload = workloads.find((entry) => `${entry.kind}/${entry.name}` === ref);
      const found = cluster.nodes.get(node);
      if (workload === undefined || found === undefined) throw new Error(`${name}: ${line} names what is not there`);
      const answer = place(workload, found, DEFAULT_SCHEDULING);
      expect(answer.verdict, line).toBe(verdict);
      if (key !== "")
        expect(
          answer.untolerated.map((taint) => taint.key),
          line,
        ).toContain(key);
    }
    const says = [...text.matchAll(/^#= says (.*)$/gm)].map((match) => match[1]);
    expect(diagnose(text, { clusters: [cluster] }).map(summary)).toEqual(says);
  });
});
