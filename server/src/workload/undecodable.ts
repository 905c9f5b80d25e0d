// Workload layer: the fields whose type the API server cannot decode.
// Source: k8s.io/apimachinery/pkg/runtime/serializer/json over sigs.k8s.io/json: null is accepted everywhere, a number
// or boolean never as text, quoted text never as a number or boolean.

import type { WorkloadKind } from "../kube/kinds.ts";
import type { Span } from "../text/span.ts";
import { entryAt, keyText, nodeAt, shownSpan } from "../yaml/locate.ts";
import type { YamlMapping, YamlNode, YamlPath } from "../yaml/tree.ts";
import { type FieldType, METADATA_TYPE, POD_SPEC_TYPE, selectorType } from "./field-types.ts";
import { isPlaceholder } from "./template.ts";

/** A field that does not decode. */
export interface Undecodable {
  /** From the object that holds apiVersion and kind. */
  readonly path: YamlPath;
  /** Where to underline it. */
  readonly span: Span;
  /** `string`, `boolean`, `integer`, `quantity`, `list`, `object`. */
  readonly expected: string;
  /** `string`, `boolean`, `number`, `list`, `object`. */
  readonly found: string;
}

/** What is wrong, and the nodes that are text in the author's mind (a `value: yes` meant as "yes"). */
export interface TypeReport {
  readonly undecodable: readonly Undecodable[];
  readonly meantAsText: ReadonlySet<YamlNode>;
}

/** Checks the modelled fields of a workload: the pod spec, its labels, the object's own metadata and selector. */
export function checkTypes(object: YamlMapping, kind: WorkloadKind): TypeReport {
  const undecodable: Undecodable[] = [];
  const meantAsText = new Set<YamlNode>();
  const check = (path: YamlPath, type: FieldType): void => {
    // A scalar on the way to the pod spec (spec: true) is reported where it stands.
    for (let length = 1; length < path.length; length++) {
      const node = nodeAt(object, path.slice(0, length));
      if (node !== null) visit(node, { type: "object" }, path.slice(0, length));
    }
    const node = nodeAt(object, path);
    if (node !== null) visit(node, type, path);
  };
  const visit = (node: YamlNode, type: FieldType, path: YamlPath): void => {
    const found = foundType(node);
    if (found === "null") return;
    if (!accepts(type, node, found)) {
      if (node.kind === "scalar" && isPlaceholder(node.source)) return;
      if (undecodable.some((other) => samePath(other.path, path))) return;
      undecodable.push({ path, span: shownSpan(node), expected: expectedName(type), found });
      if (type.type === "string" && node.kind === "scalar") meantAsText.add(node);
      return;
    }
    if (type.type === "list" && node.kind === "sequence") {
      node.items.forEach((item, index) => {
        visit(item, type.of, [...path, index]);
      });
    } else if (type.type === "map" && node.kind === "mapping") {
      for (const entry of node.entries) visit(entry.value, type.of, [...path, keyText(entry.key)]);
    } else if (type.type === "struct") {
      for (const [name, field] of Object.entries(type.fields)) {
        const entry = entryAt(node, name);
        if (entry !== null) visit(entry.value, field, [...path, name]);
      }
    }
  };
  check(["metadata"], METADATA_TYPE);
  check(kind.podSpecPath, POD_SPEC_TYPE);
  if (kind.podSpecPath.length > 1) check([...kind.podSpecPath.slice(0, -1), "metadata"], METADATA_TYPE);
  if (kind.kind !== "Pod" && kind.kind !== "CronJob") check(["spec", "selector"], selectorType(kind.kind));
  return { undecodable, meantAsText };
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
      return node.kind === "scalar" && node.value.type === "number" && Number.isInteger(node.value.value);
  }
}

function expectedName(type: FieldType): string {
  return type.type === "map" || type.type === "struct" ? "object" : type.type;
}

function samePath(a: YamlPath, b: YamlPath): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
