// Features layer, editor: what an offset of a manifest means in Kubernetes' terms.

import type { ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import { pathAt } from "../../yaml/locate.ts";
import type { YamlNode, YamlPath } from "../../yaml/tree.ts";

/** Where the cursor is. `node` is the value that the place belongs to. */
export type Cursor =
  | { readonly kind: "name"; readonly item: ManifestWorkload; readonly node: YamlNode }
  | {
      readonly kind: "toleration";
      readonly item: ManifestWorkload;
      readonly index: number;
      readonly field: string | null;
      readonly node: YamlNode;
    }
  | { readonly kind: "tolerations"; readonly item: ManifestWorkload; readonly node: YamlNode }
  | {
      readonly kind: "nodeSelector";
      readonly item: ManifestWorkload;
      readonly key: string | null;
      readonly onKey: boolean;
      readonly node: YamlNode;
    }
  | {
      readonly kind: "expression";
      readonly item: ManifestWorkload;
      readonly path: YamlPath;
      readonly field: string | null;
      readonly node: YamlNode;
    }
  | { readonly kind: "resource"; readonly item: ManifestWorkload; readonly resource: string; readonly node: YamlNode };

/** What stands at a UTF-16 offset; null where it is nothing of ours. */
export function cursorAt(file: ManifestFile, offset: number): Cursor | null {
  for (const document of file.documents) {
    for (const item of document.workloads) {
      const found = pathAt(item.object, offset);
      if (found === null) continue;
      const cursor = read(item, found.path, found.node, found.onKey, offset);
      if (cursor !== null) return cursor;
    }
  }
  return null;
}

function read(item: ManifestWorkload, path: YamlPath, node: YamlNode, onKey: boolean, offset: number): Cursor | null {
  const { nameSpan } = item;
  if (offset >= nameSpan.start && offset <= nameSpan.end) return { kind: "name", item, node };
  const inside = below(path, item.podSpecPath);
  if (inside === null) return null;
  const [first, second, third] = inside;
  if (first === "tolerations") {
    if (typeof second !== "number") return { kind: "tolerations", item, node };
    return { kind: "toleration", item, index: second, field: typeof third === "string" ? third : null, node };
  }
  if (first === "nodeSelector") {
    return { kind: "nodeSelector", item, key: typeof second === "string" ? second : null, onKey, node };
  }
  if (first === "affinity") return expression(item, path, node);
  if ((first === "containers" || first === "initContainers") && third === "resources") {
    const resource = inside[4];
    return typeof resource === "string" ? { kind: "resource", item, resource, node } : null;
  }
  return null;
}

/** An expression of a term, or one of its fields. */
function expression(item: ManifestWorkload, path: YamlPath, node: YamlNode): Cursor | null {
  const at = path.findIndex((step) => step === "matchExpressions" || step === "matchFields");
  if (at < 0 || typeof path[at + 1] !== "number") return null;
  const field = path[at + 2];
  return {
    kind: "expression",
    item,
    path: path.slice(0, at + 2),
    field: typeof field === "string" ? field : null,
    node,
  };
}

/** What of `path` lies below `head`; null when it lies elsewhere. */
function below(path: YamlPath, head: YamlPath): YamlPath | null {
  return head.every((step, index) => path[index] === step) ? path.slice(head.length) : null;
}
