// Real manifests: our reader against the `yaml` package, two parsers that share no code, and what is known of the files.
import { describe, expect, test } from "vitest";
import { readManifest } from "../../server/src/workload/read.ts";
import { composeDocument } from "../../server/src/yaml/compose.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { isFatal, parseDocument } from "../../server/src/yaml/parse.ts";
import { readDocument } from "../../server/src/yaml/read/document.ts";
import { scanDocuments, splitDocuments } from "../../server/src/yaml/scan.ts";
import type { YamlNode } from "../../server/src/yaml/tree.ts";
import { corpusFiles, corpusFolder, sampling } from "../corpus/files.ts";

const folder = corpusFolder();
if (folder === null) console.log("corpus tests are skipped: no .cache/corpus, and TAINTWISE_CORPUS is not set");

/** Kind, span, source and style of every node, on a line each: what a rule or an edit can see of a tree. */
function outline(node: YamlNode, path = "$"): string {
  // Where an absent value stands is a matter of taste.
  const absent = node.span.start === node.span.end;
  const head = `${path} ${node.kind} ${absent ? "absent" : `${node.span.start}-${node.span.end}`}`;
  switch (node.kind) {
    case "scalar":
      return `${head} ${node.style} ${JSON.stringify(node.source)}`;
    case "sequence":
      return [`${head} ${node.flow}`, ...node.items.map((item, index) => outline(item, `${path}.${index}`))].join("\n");
    case "mapping":
      return [
        `${head} ${node.flow}`,
        ...node.entries.map(({ key, value }) => outline(value, `${path}.${key.source}`)),
      ].join("\n");
  }
}

describe.skipIf(folder === null)("the corpus", () => {
  const files = folder === null ? [] : corpusFiles(folder, sampling());

  test("documents that matter are read alike by both parsers, spans included", { timeout: 300_000 }, () => {
    const different: string[] = [];
    for (const { path, read } of files) {
      const text = read();
      for (const { span, head } of scanDocuments(text)) {
        const source = text.slice(span.start, span.end);
        // At the end of a file without final line end the package makes one up for block scalars; Kubernetes does not.
        if (head !== span.start || !source.endsWith("\n")) continue;
        const reading = readDocument(source, { base: 0, inline: false, directives: false });
        if (!("read" in reading) || reading.read.root === null) continue;
        const { root, problems } = composeDocument(source, 0);
        const ours = outline(reading.read.root);
        const theirs = root === null ? "" : outline(root);
        if (ours !== theirs && !problems.some(isFatal)) different.push(`${path}: ${firstDifference(ours, theirs)}`);
      }
    }
    expect(different).toEqual([]);
  });

  test("a broken file says what is wrong once, with a place, and is no template in disguise", () => {
    const broken = files.flatMap(({ path, read }) => {
      const text = read();
      return readManifest(text, { path }).documents.flatMap(({ yaml, other }) => {
        const fatal = yaml.problems.find(isFatal);
        return other !== null || fatal === undefined ? [] : [{ path, fatal, text }];
      });
    });
    for (const { path, fatal, text } of broken) {
      expect(fatal.message, path).not.toBe("");
      expect(fatal.span.start, path).toBeLessThan(text.length);
    }
    // All that the whole corpus has: values such as `@@name@@` without quotes.
    expect(broken.length).toBeLessThan(8);
  });

  test("files with CRLF give the same values as with LF", () => {
    for (const { path, read } of files) {
      const text = read();
      if (!text.includes("\r\n") || text.length > 200_000) continue;
      const values = (source: string) =>
        splitDocuments(source).map((document) => toPlain(parseDocument(source, document).root));
      expect(values(text), path).toEqual(values(text.replaceAll("\r\n", "\n")));
    }
  });
});

function firstDifference(ours: string, theirs: string): string {
  const other = theirs.split("\n");
  const index = ours.split("\n").findIndex((line, at) => line !== other[at]);
  return `${ours.split("\n")[index]} <> ${other[index]}`;
}
