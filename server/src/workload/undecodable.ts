// Workload layer: the fields whose type the API server cannot decode.
// Source: k8s.io/apimachinery/pkg/runtime/serializer/json over sigs.k8s.io/json: null is accepted everywhere, a number
// or boolean never as text, quoted text never as a number or boolean.

import type { WorkloadKind } from "../kube/kinds.ts";
import type { Span } from "../text/span.ts";
import { keyText, nodeAt, shownSpan } from "../yaml/locate.ts";
import type { YamlMapping, YamlNode, YamlPath } from "../yaml/tree.ts";
import { type FieldType, METADATA_TYPE, POD_SPEC_TYPE, specType } from "./field-types.ts";
import { isPlaceholder } from "./template.ts";

/** A field that does not decode. */
export interface Undecodable {
  /** From the object that holds apiVersion and kind. */
  readonly path: YamlPath;
  /** Where to underline it. */
  readonly span: Span;
  /** `string`, `boolean`, `integer`, `quantity`, `integer or text`, `list`, `object`. */
  readonly expected: string;
  /** `string`, `boolean`, `number`, `list`, `object`. */
  readonly found: string;
}

/** What is wrong, and the nodes that are text in the author's mind (a `value: yes` meant as "yes"). */
export interface TypeReport {
  readonly undecodable: readonly Undecodable[];
  readonly meantAsText: ReadonlySet<YamlNode>;
}

/** Checks the fields of a workload that are read: the pod spec, its metadata, the object's own metadata and spec. */
export function checkTypes(object: YamlMapping, kind: WorkloadKind): TypeReport {
  const check = new TypeCheck(object);
  check.at(["metadata"], METADATA_TYPE);
  check.at(kind.podSpecPath, POD_SPEC_TYPE);
  if (kind.podSpecPath.length > 1) check.at([...kind.podSpecPath.slice(0, -1), "metadata"], METADATA_TYPE);
  const spec = specType(kind.kind);
  if (spec !== null) check.at(["spec"], spec);
  return check;
}

/**
 * Whether the pod spec or its containers are there and have the wrong type, so that nothing can be read of where the
 * pods go. A placeholder is filled in later.
 */
export function isMisshapen(object: YamlMapping, kind: WorkloadKind): boolean {
  const path = [...kind.podSpecPath, "containers"];
  return path.some((_, index) => {
    const node = nodeAt(object, path.slice(0, index + 1));
    if (node === null || foundType(node) === "null") return false;
    if (node.kind === "scalar" && isPlaceholder(node.source)) return false;
    return !accepts(index === path.length - 1 ? LIST : { type: "object" }, node, foundType(node));
  });
}

const LIST: FieldType = { type: "list", of: { type: "object" } };

class TypeCheck implements TypeReport {
  readonly undecodable: Undecodable[] = [];
  readonly meantAsText = new Set<YamlNode>();
  readonly #object: YamlMapping;
  readonly #reported = new Set<YamlNode>();
  /** Where the walk is; copied only for what does not decode, as most fields do. */
  #path: (string | number)[] = [];

  constructor(object: YamlMapping) {
    this.#object = object;
  }

  at(path: YamlPath, type: FieldType): void {
    // A scalar on the way (spec: true) is reported where it stands.
    for (let length = 1; length <= path.length; length++) {
      this.#path = path.slice(0, length);
      const node = nodeAt(this.#object, this.#path);
      if (node !== null) this.#visit(node, length < path.length ? { type: "object" } : type);
    }
  }

  #visit(node: YamlNode, type: FieldType): void {
    const found = foundType(node);
    if (found === "null") return;
    if (!accepts(type, node, found)) this.#report(node, type, found);
    else if (type.type === "list" && node.kind === "sequence") {
      node.items.forEach((item, index) => {
        this.#step(index, item, type.of);
      });
    } else if (type.type === "map" && node.kind === "mapping") {
      for (const { key, value } of node.entries) this.#step(keyText(key), value, type.of);
    } else if (type.type === "struct" && node.kind === "mapping") {
      for (const { key, value } of node.entries) {
        const name = keyText(key);
        const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
        if (field !== undefined) this.#step(name, value, field);
      }
    }
  }

  #step(step: string | number, node: YamlNode, type: FieldType): void {
    this.#path.push(step);
    this.#visit(node, type);
    this.#path.pop();
  }

  #report(node: YamlNode, type: FieldType, found: string): void {
    if (node.kind === "scalar" && isPlaceholder(node.source)) return;
    if (this.#reported.has(node)) return;
    this.#reported.add(node);
    this.undecodable.push({ path: [...this.#path], span: shownSpan(node), expected: expectedName(type), found });
    if (type.type === "string" && node.kind === "scalar") this.meantAsText.add(node);
  }
}

function foundType(node: YamlNode): string {
  if (node.kind === "mapping") return "object";
  if (node.kind === "sequence") return "list";
  return node.value.type === "bool" ? "boolean" : node.value.type;
}

function accepts(type: FieldType, node: YamlNode, found: string): boolean {
  switch (type.type) {
    case "string":
    case "boolean":
    case "list":
    case "object":
      return found === type.type;
    case "map":
    case "struct":
      return found === "object";
    case "quantity":
      return found === "string" || found === "number";
    case "integer":
      return isWhole(node);
    case "integer or text":
      return found === "string" || isWhole(node);
  }
}

/** A whole number that fits into 64 bits, as the API's integers do at most. */
function isWhole(node: YamlNode): boolean {
  if (node.kind !== "scalar" || node.value.type !== "number") return false;
  const { value } = node.value;
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function expectedName(type: FieldType): string {
  return type.type === "map" || type.type === "struct" ? "object" : type.type;
}
