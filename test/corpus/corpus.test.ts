// Real manifests: no false error without a cluster, and every fix keeps its promises with one.
// `npm test` takes a fixed sample; TAINTWISE_CORPUS_WHOLE=1 takes all.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clusterOf, diagnose } from "../support/judge.ts";
import { corpusFiles, corpusFolder, sampling } from "./files.ts";
import { createFixCheck } from "./fixes.ts";
import { KNOWN_ERRORS } from "./known-errors.ts";

const folder = corpusFolder();
if (folder === null) console.log("corpus tests are skipped: no .cache/corpus, and TAINTWISE_CORPUS is not set");

describe.skipIf(folder === null)("the corpus", () => {
  const files = folder === null ? [] : corpusFiles(folder, sampling());

  it("has no error without a cluster but the true ones", { timeout: 300_000 }, () => {
    const errors: string[] = [];
    for (const { path, read } of files) {
      const text = read();
      for (const { severity, span, code, message } of diagnose(text, { path })) {
        if (severity !== "error") continue;
        const place = `${path}:${text.slice(0, span.start).split("\n").length} ${code}`;
        if (!KNOWN_ERRORS.has(place)) errors.push(`${place} ${message}`);
      }
    }
    expect(errors).toEqual([]);
  });

  it.each(["cluster.yaml", "tainted.yaml"])(
    "is changed by every fix as it promises (%s)",
    { timeout: 600_000 },
    (dump) => {
      const check = createFixCheck(clusterOf(readFileSync(`test/corpus/${dump}`, "utf8")));
      let fixes = 0;
      const broken: string[] = [];
      for (const { path, read } of files) {
        const result = check(read(), path);
        fixes += result.fixes;
        broken.push(...result.broken.map(({ code, title, why }) => `${path}: ${code} [${title}] ${why}`));
      }
      expect(broken).toEqual([]);
      console.log(`${files.length} corpus files against ${dump}: ${fixes} fixes applied, each judged again`);
      expect(fixes).toBeGreaterThan(0);
    },
  );
});
