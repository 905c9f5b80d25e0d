// Workload layer: what a document is that holds no complete workload.

import type { WorkloadKind } from "../kube/kinds.ts";
import { entryAt, itemsAt, nodeAt, textAt } from "../yaml/locate.ts";
import type { YamlMapping, YamlNode } from "../yaml/tree.ts";
import type { OtherDocument } from "./manifest.ts";
import { isMisshapen } from "./undecodable.ts";

const KUSTOMIZATION_FILE = /(?:^|[\\/])(?:kustomization\.ya?ml|Kustomization)$/;
const VALUES_FILE = /(?:^|[\\/])[^\\/]*values[^\\/]*\.ya?ml$/;
const JSON_PATCH_OPERATIONS = new Set(["add", "remove", "replace", "move", "copy", "test"]);

/**
 * Whether an object of a workload's kind is only a patch of one (strategic merge): it has patch directives, no
 * containers, or lacks what the API server requires of every complete object of its kind.
 */
export function isPatch(object: YamlMapping, kind: WorkloadKind): boolean {
  const containers = itemsAt(object, [...kind.podSpecPath, "containers"]);
  if (hasDirective(object)) return true;
  // No patch either: the API server refuses both.
  if (isMisshapen(object, kind)) return false;
  if (containers.length === 0) return true;
  const unnamed =
    textAt(object, ["metadata", "name"]) === null && textAt(object, ["metadata", "generateName"]) === null;
  const imageless = containers.every((container) => entryAt(container, "image") === null);
  if (kind.group !== "apps") return imageless && (unnamed || containers.length > 0);
  // apps/v1 requires a selector and the template's labels.
  const template = kind.podSpecPath.slice(0, -1);
  return nodeAt(object, ["spec", "selector"]) === null && nodeAt(object, [...template, "metadata", "labels"]) === null;
}

/**
 * Whether an object is what an API server returned, kept in a dump: it has what only the server writes, and stands in a
 * list or was made by a controller. A single object that was exported, or is open in `kubectl edit`, is a source.
 */
export function isRecord(object: YamlMapping, listed: boolean): boolean {
  const served = SERVER_FIELDS.every((field) => (textAt(object, ["metadata", field]) ?? "") !== "");
  return served && (listed || itemsAt(object, ["metadata", "ownerReferences"]).some(isController));
}

const SERVER_FIELDS = ["uid", "resourceVersion"] as const;

function isController(owner: YamlNode): boolean {
  return owner.kind === "mapping" && textAt(owner, ["controller"]) === "true";
}

/** What a document without workloads is, by its root and the file's name. */
export function classifyOther(root: YamlNode | null, path: string): OtherDocument {
  if (root === null) return "not-kubernetes";
  if (root.kind === "sequence")
    return root.items.length > 0 && root.items.every(isJsonPatchOperation) ? "json6902" : "not-kubernetes";
  if (root.kind === "scalar") return "not-kubernetes";
  const kind = textAt(root, ["kind"]);
  const apiVersion = textAt(root, ["apiVersion"]) ?? "";
  if (apiVersion.startsWith("kustomize.config.k8s.io/") || (kind === null && KUSTOMIZATION_FILE.test(path)))
    return "kustomization";
  if (kind !== null && apiVersion !== "") return "cluster-object";
  return VALUES_FILE.test(path) ? "helm-values" : "not-kubernetes";
}

function isJsonPatchOperation(item: YamlNode): boolean {
  return JSON_PATCH_OPERATIONS.has(textAt(item, ["op"]) ?? "") && textAt(item, ["path"]) !== null;
}

/** Directives of a strategic merge patch: `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`. */
function hasDirective(node: YamlNode): boolean {
  if (node.kind === "sequence") return node.items.some(hasDirective);
  if (node.kind === "scalar") return false;
  return node.entries.some(
    ({ key, value }) =>
      /^\$(?:patch$|retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/.test(key.source) || hasDirective(value),
  );
}
