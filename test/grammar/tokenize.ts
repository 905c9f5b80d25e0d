// Tokenizes YAML with the real engine of VS Code's highlighting: a host grammar and our injections into it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import vsctm from "vscode-textmate";

const require = createRequire(import.meta.url);
const root = new URL("../../", import.meta.url);

export interface HostGrammar {
  readonly name: string;
  /** Path of a grammar file by its scope name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The YAML grammar of the `tm-grammars` package: the one that VS Code carried for years. */
export const CLASSIC: HostGrammar = {
  name: "classic YAML grammar",
  files: { "source.yaml": require.resolve("tm-grammars/grammars/yaml.json") },
};

export interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

export type Tokenize = (text: string) => readonly (readonly Token[])[];

/** Resolves with a function from a text to its lines of tokens, our grammars injected. */
export async function tokenizer(host: HostGrammar): Promise<Tokenize> {
  return load(host, true);
}

/** As `tokenizer`, with the host's grammar alone. */
export async function tokenizerWithoutInjections(host: HostGrammar): Promise<Tokenize> {
  return load(host, false);
}

async function load(host: HostGrammar, inject: boolean): Promise<Tokenize> {
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const contributed: readonly { readonly scopeName: string; readonly path: string }[] = JSON.parse(
    readFileSync(new URL("package.json", root), "utf8"),
  ).contributes.grammars;
  const registry = new vsctm.Registry({
    onigLib: Promise.resolve(oniguruma),
    loadGrammar: async (scope) => {
      const own = contributed.find((grammar) => grammar.scopeName === scope);
      const path = own ? new URL(own.path, root) : host.files[scope];
      return path ? vsctm.parseRawGrammar(readFileSync(path, "utf8"), "grammar.json") : null;
    },
    getInjections: (scope) =>
      inject && scope === "source.yaml" ? contributed.map((grammar) => grammar.scopeName) : [],
  });
  const grammar = await registry.loadGrammar("source.yaml");
  if (!grammar) throw new Error(`${host.name} cannot be loaded`);
  return (text) => {
    let state = vsctm.INITIAL;
    return text.split("\n").map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map((token) => ({ text: line.slice(token.startIndex, token.endIndex), scopes: token.scopes }));
    });
  };
}
