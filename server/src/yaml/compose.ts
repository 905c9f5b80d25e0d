// YAML layer: one document through the `yaml` package into our tree. The only file that imports it.
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, type YAMLParseError } from "yaml";
import type { Span } from "../text/span.ts";
import { TreeBuilder, type WrittenEntry } from "./builder.ts";
import type { ScalarStyle, YamlDocument, YamlNode, YamlProblem } from "./tree.ts";

/**
 * Reads one document.
 * @param text the document with its `%` directives
 * @param start UTF-16 offset of `text` in the file; all spans are offsets in the file
 */
export function composeDocument(text: string, start: number): YamlDocument {
  const span = { start, end: start + text.length };
  const builder = new TreeBuilder();
  const document = parseQuietly(text);
  if (document === null) {
    builder.problem("too-deep", "the document is nested too deeply to be read", span);
    return { span, root: null, problems: builder.problems, aliases: [] };
  }
  const syntax = document.errors
    .filter(({ code }) => code !== "TAG_RESOLVE_FAILED")
    .map((error) => syntaxProblem(error, start));
  const contents = document.contents;
  const root = contents === null ? null : new Composition(text, start, builder).node(contents, 0);
  return { span, root, problems: [...syntax, ...builder.problems], aliases: builder.aliases };
}

/** null when the nesting exceeds what the package's recursion can take. */
function parseQuietly(text: string): Document.Parsed | null {
  try {
    return parseDocument(text, {
      schema: "failsafe",
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
      strict: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function syntaxProblem(error: YAMLParseError, start: number): YamlProblem {
  const span = { start: start + error.pos[0], end: start + error.pos[1] };
  const code = error.code === "TAB_AS_INDENT" ? "tab-indent" : "syntax";
  return { code, message: error.message, span, related: null };
}

/** Walks the package's nodes in text order, so that each alias finds the anchors above it. */
class Composition {
  readonly #text: string;
  readonly #start: number;
  readonly #builder: TreeBuilder;

  constructor(text: string, start: number, builder: TreeBuilder) {
    this.#text = text;
    this.#start = start;
    this.#builder = builder;
  }

  /** `at` is where an absent value would stand. */
  node(node: unknown, at: number): YamlNode {
    if (isAlias(node)) {
      const [from, to] = node.range ?? [at, at];
      return this.#builder.alias(node.source, this.#span(from, to));
    }
    const anchored = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    const close = anchored === undefined ? null : this.#builder.anchor(anchored);
    const result = this.#content(node, at);
    close?.(result);
    return result;
  }

  #content(node: unknown, at: number): YamlNode {
    if (isMap(node)) {
      const [from, to] = node.range ?? [at, at];
      const entries = node.items.map((pair): WrittenEntry => {
        const key = this.node(pair.key, from);
        return { key, value: this.node(pair.value, ownEnd(key) - this.#start) };
      });
      const last = entries.at(-1)?.value;
      const span = this.#span(from, node.flow === true || last === undefined ? to : ownEnd(last) - this.#start);
      return this.#builder.mapping(span, node.flow === true, entries);
    }
    if (isSeq(node)) {
      const [from, to] = node.range ?? [at, at];
      const items = node.items.map((item) => this.node(item, from));
      const last = items.at(-1);
      const span = this.#span(from, node.flow === true || last === undefined ? to : ownEnd(last) - this.#start);
      return this.#builder.sequence(span, node.flow === true, items);
    }
    return isScalar(node) ? this.#scalar(node, at) : this.#builder.scalar(this.#span(at, at), "", "plain", null);
  }

  #scalar(node: Scalar, at: number): YamlNode {
    const [from, to] = node.range ?? [at, at];
    const style = scalarStyle(node.type);
    const block = style === "literal" || style === "folded";
    const span = this.#span(from, block ? from + this.#text.slice(from, to).trimEnd().length : to);
    return this.#builder.scalar(span, node.source ?? String(node.value ?? ""), style, node.tag ?? null);
  }

  #span(from: number, to: number): Span {
    return { start: this.#start + from, end: this.#start + to };
  }
}

/** Where a node's own text ends: `*name` for one that is reached through an alias. */
function ownEnd(node: YamlNode): number {
  return node.alias === null ? node.span.end : node.alias.use.end;
}

function scalarStyle(type: string | undefined): ScalarStyle {
  switch (type) {
    case "QUOTE_SINGLE":
      return "single";
    case "QUOTE_DOUBLE":
      return "double";
    case "BLOCK_LITERAL":
      return "literal";
    case "BLOCK_FOLDED":
      return "folded";
    default:
      return "plain";
  }
}
