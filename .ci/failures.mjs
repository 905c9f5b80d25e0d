// Reads a suite's output and prints the tests that failed, with the lines beneath that say why: what a reader of the end
// of the whole output needs.
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Lines shown of one failure; the whole is further up. */
const MOST = 14;

const lines = stripVTControlCharacters(readFileSync(process.argv[2], "utf8")).split("\n");
// vitest begins a failure's report with FAIL; the editor's runner marks the test and indents what follows.
const starts = lines.flatMap((line, at) => (/^ FAIL {2}\S/.test(line) || /^ {2}✗ /.test(line) ? [at] : []));
for (const [index, start] of starts.entries()) {
  const end = Math.min(starts[index + 1] ?? lines.length, start + MOST);
  const shown = lines.slice(start, end);
  const over = shown.findIndex((line, at) => at > 0 && (/^⎯{5}/.test(line) || /^ {2}✓ /.test(line)));
  console.log((over === -1 ? shown : shown.slice(0, over)).join("\n").trimEnd());
}
