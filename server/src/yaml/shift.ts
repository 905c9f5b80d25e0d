// YAML layer: a parsed document moved within its file, so that an edit above it does not cost a second parse. An edit
// moves every document below it, and hardly anything looks at them before the next one: spans are worked out when
// somebody reads them.
import type { Span } from "../text/span.ts";
import type { AliasUse, YamlDocument, YamlNode, YamlProblem, YamlScalar } from "./tree.ts";

/** The same document with every span moved by `delta` UTF-16 units; the document itself when `delta` is 0. */
export function shiftDocument(document: YamlDocument, delta: number): YamlDocument {
  return delta === 0 ? document : MovedYaml.of(document, delta);
}

class MovedYaml implements YamlDocument {
  readonly span: Span;
  readonly #origin: YamlDocument;
  readonly #delta: number;
  #root: YamlNode | null = null;
  #problems: readonly YamlProblem[] | null = null;
  #aliases: readonly AliasUse[] | null = null;

  /** Moved again, it is moved once from where it was parsed: moves do not pile up. */
  static of(document: YamlDocument, delta: number): YamlDocument {
    if (!(document instanceof MovedYaml)) return new MovedYaml(document, delta);
    const sum = document.#delta + delta;
    return sum === 0 ? document.#origin : new MovedYaml(document.#origin, sum);
  }

  constructor(origin: YamlDocument, delta: number) {
    this.#origin = origin;
    this.#delta = delta;
    this.span = shiftSpan(origin.span, delta);
  }

  get root(): YamlNode | null {
    const { root } = this.#origin;
    if (root !== null) this.#root ??= shiftNode(root, this.#delta);
    return this.#root;
  }

  get problems(): readonly YamlProblem[] {
    this.#problems ??= this.#origin.problems.map((problem) => ({
      ...problem,
      span: shiftSpan(problem.span, this.#delta),
      related: problem.related === null ? null : shiftSpan(problem.related, this.#delta),
    }));
    return this.#problems;
  }

  get aliases(): readonly AliasUse[] {
    this.#aliases ??= this.#origin.aliases.map((use) => shiftAlias(use, this.#delta));
    return this.#aliases;
  }
}

function shiftSpan({ start, end }: Span, delta: number): Span {
  return { start: start + delta, end: end + delta };
}

function shiftAlias(use: AliasUse, delta: number): AliasUse {
  return { ...use, use: shiftSpan(use.use, delta), anchor: shiftSpan(use.anchor, delta) };
}

function shiftNode(node: YamlNode, delta: number): YamlNode {
  if (node.kind === "scalar") return shiftScalar(node, delta);
  const span = shiftSpan(node.span, delta);
  const alias = node.alias === null ? null : shiftAlias(node.alias, delta);
  if (node.kind === "sequence") {
    return { ...node, span, alias, items: node.items.map((item) => shiftNode(item, delta)) };
  }
  const entries = node.entries.map((entry) => ({
    key: shiftScalar(entry.key, delta),
    value: shiftNode(entry.value, delta),
    span: shiftSpan(entry.span, delta),
    merged: entry.merged,
  }));
  return { ...node, span, alias, entries };
}

function shiftScalar(node: YamlScalar, delta: number): YamlScalar {
  const alias = node.alias === null ? null : shiftAlias(node.alias, delta);
  return { ...node, span: shiftSpan(node.span, delta), alias };
}
