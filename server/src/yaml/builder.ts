// YAML layer: builds the tree of one document node by node, in text order: follows aliases, resolves merge keys,
// types scalars, and collects what is wrong. The parsers feed it; it knows no syntax.
import type { Span } from "../text/span.ts";
import { jsonKey, keyProblem, typeScalar } from "./scalar.ts";
import type {
  AliasUse,
  ScalarStyle,
  YamlEntry,
  YamlMapping,
  YamlNode,
  YamlProblem,
  YamlScalar,
  YamlSequence,
} from "./tree.ts";

/** A key and its value as written, before merge keys and duplicates are resolved. */
export interface WrittenEntry {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** An anchor whose node is still being read (`node` null) or known. */
interface Anchor {
  node: YamlNode | null;
}

const SMALL_MAPPING = 12;

/** Go's share of nodes that may come from aliases. Source: go.yaml.in/yaml/v2 decode.go allowedAliasRatio. */
function allowedAliasRatio(nodes: number): number {
  if (nodes <= 400_000) return 0.99;
  if (nodes >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000);
}

/** State of one document while it is read. */
export class TreeBuilder {
  readonly problems: YamlProblem[] = [];
  readonly aliases: AliasUse[] = [];
  readonly #anchors = new Map<string, Anchor>();
  #nodes = 0;
  #copied = 0;
  #bomb = false;

  /** Collects a problem. */
  problem(code: YamlProblem["code"], message: string, span: Span, related: Span | null = null): void {
    this.problems.push({ code, message, span, related });
  }

  /** A scalar; `tag` as written, null without. */
  scalar(span: Span, source: string, style: ScalarStyle, tag: string | null): YamlScalar {
    this.#nodes++;
    const { value, problem } = typeScalar(source, style === "plain", tag);
    if (problem !== null) this.problem("not-convertible", problem, span);
    return { kind: "scalar", span, alias: null, source, style, value };
  }

  sequence(span: Span, flow: boolean, items: readonly YamlNode[]): YamlSequence {
    this.#nodes++;
    return { kind: "sequence", span, alias: null, flow, items };
  }

  /** A mapping from its entries as written: merge keys resolved, the last of equal keys kept, the others reported. */
  mapping(span: Span, flow: boolean, written: readonly WrittenEntry[]): YamlMapping {
    this.#nodes++;
    const entries: YamlEntry[] = [];
    let merges = false;
    for (const { key, value } of written) {
      if (isMergeKey(key)) merges = true;
      else {
        const entry = this.#entry(key, value);
        if (entry !== null) entries.push(entry);
      }
    }
    if (merges) return { kind: "mapping", span, alias: null, flow, entries: this.#withMerges(written) };
    const unique = hasDuplicates(entries) ? this.#lastOfEach(entries) : entries;
    return { kind: "mapping", span, alias: null, flow, entries: unique };
  }

  /** Announces an anchor before its node is read; hand the node to the function returned. */
  anchor(name: string): (node: YamlNode) => void {
    const anchor: Anchor = { node: null };
    this.#anchors.set(name, anchor);
    return (node) => {
      anchor.node = node;
    };
  }

  /** The node behind `*name`, marked as reached through it; an empty scalar when there is none. `use` spans `*name`. */
  alias(name: string, use: Span): YamlNode {
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) {
      const message = `unknown anchor "${name}": no &${name} stands above it in this document (anchors end at ---)`;
      this.problem("unknown-anchor", message, use);
      return emptyScalar(use);
    }
    const target = anchor.node;
    if (target === null) {
      this.problem("alias-bomb", `the anchor "${name}" contains itself`, use);
      return emptyScalar(use);
    }
    const reached: AliasUse = { use, anchor: target.span, name };
    this.aliases.push(reached);
    return this.#copy(target, reached);
  }

  #entry(key: YamlNode, value: YamlNode): YamlEntry | null {
    if (key.kind !== "scalar") {
      this.problem("not-convertible", "a list or mapping cannot be a key", key.span);
      return null;
    }
    if (key.value.type === "null" || key.value.type === "number") this.#checkKey(key);
    // A value reached through an alias stands elsewhere; in this mapping its text is `*name`.
    const end = value.alias === null ? value.span.end : value.alias.use.end;
    const start = key.alias === null ? key.span.start : key.alias.use.start;
    return { key, value, span: { start, end }, merged: false };
  }

  #checkKey(key: YamlScalar): void {
    const problem = keyProblem(key.source, key.value);
    if (problem !== null) this.problem("not-convertible", problem, key.span);
    // `.inf` is a fine key, though no value: what was said of the scalar does not hold for the key.
    const infinite = key.value.type === "number" && !Number.isFinite(key.value.value);
    const said = infinite ? this.problems.findLastIndex(({ span }) => span === key.span) : -1;
    if (said >= 0) this.problems.splice(said, 1);
  }

  #lastOfEach(entries: readonly YamlEntry[]): readonly YamlEntry[] {
    const byKey = new Map<string, YamlEntry>();
    for (const entry of entries) this.#put(byKey, entry);
    return [...byKey.values()];
  }

  /** Kubernetes applies merge keys where they stand: one behind an explicit key overrides it. Source: decode.go mapping. */
  #withMerges(written: readonly WrittenEntry[]): readonly YamlEntry[] {
    const byKey = new Map<string, YamlEntry>();
    for (const { key, value } of written) {
      if (isMergeKey(key)) {
        for (const merged of this.#merged(value)) {
          byKey.delete(keyText(merged.key));
          byKey.set(keyText(merged.key), merged);
        }
      } else if (key.kind === "scalar") {
        const entry = this.#entry(key, value);
        if (entry !== null) this.#put(byKey, entry);
      }
    }
    return [...byKey.values()];
  }

  #put(byKey: Map<string, YamlEntry>, entry: YamlEntry): void {
    const name = keyText(entry.key);
    const earlier = byKey.get(name);
    if (earlier !== undefined) {
      byKey.delete(name);
      if (!earlier.merged) {
        const message = `the key "${name}" stands twice in this mapping: Kubernetes takes the last one, strict validation refuses both`;
        this.problem("duplicate-key", message, entry.key.span, earlier.key.span);
      }
    }
    byKey.set(name, entry);
  }

  /** The entries that a `<<` brings in, the weakest first. */
  #merged(source: YamlNode): readonly YamlEntry[] {
    if (source.kind === "mapping") return source.entries.map((entry) => ({ ...entry, merged: true }));
    const items = source.kind === "sequence" && source.alias === null ? source.items : [];
    if (items.length === 0 || items.some((item) => item.kind !== "mapping")) {
      if (source.kind !== "sequence" || source.alias !== null || items.length > 0) {
        const span = source.alias?.use ?? source.span;
        const related = source.alias === null ? null : source.span;
        this.problem("merge-source", "<< takes a mapping, or a list of mappings", span, related);
      }
      return [];
    }
    return items.toReversed().flatMap((item) => this.#merged(item));
  }

  #copy(node: YamlNode, alias: AliasUse): YamlNode {
    this.#nodes++;
    this.#copied++;
    if (this.#copied > 100 && this.#nodes > 1000 && this.#copied / this.#nodes > allowedAliasRatio(this.#nodes)) {
      if (!this.#bomb) {
        this.problem(
          "alias-bomb",
          `*${alias.name} unfolds to too many nodes; Kubernetes refuses such a document`,
          alias.use,
        );
      }
      this.#bomb = true;
      return emptyScalar(alias.use);
    }
    switch (node.kind) {
      case "scalar":
        return { ...node, alias };
      case "sequence":
        return { ...node, alias, items: node.items.map((item) => this.#copy(item, alias)) };
      case "mapping": {
        const entries = node.entries.map((entry) => ({
          ...entry,
          key: { ...entry.key, alias },
          value: this.#copy(entry.value, alias),
        }));
        return { ...node, alias, entries };
      }
    }
  }
}

/** The key as Kubernetes sees it in JSON (`yes` is `true`, `010` is `8`). */
export function keyText(key: YamlScalar): string {
  return key.value.type === "string" ? key.value.value : jsonKey(key.source, key.value);
}

function emptyScalar(span: Span): YamlScalar {
  return { kind: "scalar", span, alias: null, source: "", style: "plain", value: { type: "null" } };
}

function isMergeKey(key: YamlNode): boolean {
  return key.kind === "scalar" && key.source === "<<" && key.style === "plain";
}

function hasDuplicates(entries: readonly YamlEntry[]): boolean {
  if (entries.length > SMALL_MAPPING) return new Set(entries.map(({ key }) => keyText(key))).size !== entries.length;
  for (let i = 1; i < entries.length; i++) {
    const entry = entries[i];
    for (let j = 0; j < i; j++) {
      const other = entries[j];
      if (entry !== undefined && other !== undefined && keyText(entry.key) === keyText(other.key)) return true;
    }
  }
  return false;
}
