// The injection grammars, held against annotated YAML in the grammars that editors really use.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { readAnnotations } from "./annotations.ts";
import { CLASSIC, type HostGrammar, type Token, tokenizer, tokenizerWithoutInjections } from "./tokenize.ts";

const fixtures = new URL("./fixtures/", import.meta.url);
const installed = new URL(
  "../../.cache/editor/node_modules/code-server/lib/vscode/extensions/yaml/syntaxes/",
  import.meta.url,
);

/** The grammar of the VS Code that the editor tests install; absent until they ran once. */
const CURRENT: HostGrammar = {
  name: "YAML grammar of the installed VS Code",
  files: {
    "source.yaml": new URL("yaml.tmLanguage.json", installed).pathname,
    ...Object.fromEntries(
      ["1.0", "1.1", "1.2", "1.3", "embedded"].map((part) => [
        `source.yaml.${part}`,
        new URL(`yaml-${part}.tmLanguage.json`, installed).pathname,
      ]),
    ),
  },
};

type Lines = readonly (readonly Token[])[];

for (const host of [CLASSIC, CURRENT]) {
  const present = existsSync(host.files["source.yaml"]!);
  describe.skipIf(!present)(host.name, () => {
    let tokenize: (text: string) => Lines;
    let plain: (text: string) => Lines;
    beforeAll(async () => {
      tokenize = await tokenizer(host);
      plain = await tokenizerWithoutInjections(host);
    });

    for (const file of readdirSync(fixtures)) {
      it(`marks what ${file} says`, () => {
        const { text, expected } = readAnnotations(readFileSync(new URL(file, fixtures), "utf8"));
        const lines = tokenize(text);
        for (const { line, start, end, scope } of expected) {
          const place = `${file}: «${text.split("\n")[line]!.slice(start, end)}»`;
          const scopes = scopesOf(lines[line]!, start, end);
          if (scope.startsWith("-")) expect(ours(scopes), place).toEqual([]);
          else expect(marked(lines[line]!, scope), place).toContainEqual({ start, end });
        }
      });

      it(`marks nothing in ${file} that it does not say`, () => {
        const { text, expected } = readAnnotations(readFileSync(new URL(file, fixtures), "utf8"));
        const unexpected = tokenize(text).flatMap((tokens, line) =>
          withOffsets(tokens)
            .filter((token) => ours(token.scopes).some((scope) => /taint-effect|extended-resource/.test(scope)))
            .filter((token) => !expected.some((e) => e.line === line && e.start <= token.start && token.end <= e.end))
            .map((token) => token.text),
        );
        expect(unexpected).toEqual([]);
      });

      it(`leaves the rest of ${file} to the host`, () => {
        const { text } = readAnnotations(readFileSync(new URL(file, fixtures), "utf8"));
        const untouched = (lines: Lines, other: Lines) =>
          lines.map((tokens, line) =>
            withOffsets(tokens)
              .flatMap((token) =>
                [...token.text].map((character, at) => ({ character, at: token.start + at, scopes: token.scopes })),
              )
              .filter(({ at }) => ours(scopesOf(other[line]!, at, at + 1)).length === 0)
              .map(({ character, scopes }) => `${character} ${scopes.join(" ")}`),
          );
        const marked = tokenize(text);
        expect(untouched(marked, marked)).toEqual(untouched(plain(text), marked));
      });
    }
  });
}

const ours = (scopes: readonly string[]) => scopes.filter((scope) => scope.endsWith(".taintwise"));

/** The ranges of a line that have the scope; neighbouring tokens are one range. */
function marked(tokens: readonly Token[], scope: string): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end, scopes } of withOffsets(tokens)) {
    if (!scopes.includes(scope)) continue;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

function withOffsets(tokens: readonly Token[]): readonly (Token & { readonly start: number; readonly end: number })[] {
  let end = 0;
  return tokens.map((token) => {
    const start = end;
    end += token.text.length;
    return { ...token, start, end };
  });
}

/** Every scope of the tokens that lie in the range. */
function scopesOf(tokens: readonly Token[], start: number, end: number): readonly string[] {
  return withOffsets(tokens)
    .filter((token) => token.start < end && token.end > start)
    .flatMap((token) => token.scopes);
}
