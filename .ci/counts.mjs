// Reads a suite's output and prints `PASSED FAILED`: from vitest's `Tests` line, else from plain `N passed, N failed` lines.
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const text = stripVTControlCharacters(readFileSync(process.argv[2], "utf8"));
let passed = 0;
let failed = 0;
for (const line of text.split("\n")) {
  const vitest = /^\s*Tests\s+(.*)$/.exec(line);
  if (vitest) {
    passed += Number(/(\d+) passed/.exec(vitest[1])?.[1] ?? 0);
    failed += Number(/(\d+) failed/.exec(vitest[1])?.[1] ?? 0);
  }
  const plain = /^(?:\S+: )?(\d+) passed, (\d+) failed(?:, \d+ skipped)?$/.exec(line.trim());
  if (plain) {
    passed += Number(plain[1]);
    failed += Number(plain[2]);
  }
}
console.log(`${passed} ${failed}`);
