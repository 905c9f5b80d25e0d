// `npm run l10n`: writes l10n/bundle.l10n.json, the texts to translate, from client/src/texts.ts.
// With `--check` it only tells whether the bundle is up to date.
import { readFileSync, writeFileSync } from "node:fs";

const source = new URL("../client/src/texts.ts", import.meta.url);
const bundle = new URL("../l10n/bundle.l10n.json", import.meta.url);

/** Every text given to `l10n.t`, by itself as key, sorted. A call whose text is no plain literal is an error. */
export function extractTexts(code: string): Readonly<Record<string, string>> {
  const texts = new Set<string>();
  for (const call of code.matchAll(/l10n\.t\(\s*/g)) {
    const literal = /^"(?:[^"\\\n]|\\.)*"/.exec(code.slice(call.index + call[0].length));
    if (!literal) throw new Error(`texts.ts: not a plain text: ${code.slice(call.index, call.index + 60)}`);
    texts.add(JSON.parse(literal[0]));
  }
  return Object.fromEntries([...texts].sort().map((text) => [text, text]));
}

/** The bundle's file content for the texts of the client. */
export function bundleContent(): string {
  return `${JSON.stringify(extractTexts(readFileSync(source, "utf8")), null, 2)}\n`;
}

if (import.meta.main) {
  if (process.argv.includes("--check")) {
    if (readFileSync(bundle, "utf8") !== bundleContent()) {
      console.error("l10n/bundle.l10n.json is out of date: npm run l10n");
      process.exitCode = 1;
    }
  } else {
    writeFileSync(bundle, bundleContent());
  }
}
