// Diagnostic `toleration-misplaced`: a scheduling field at a level that ignores it.
import { keyText, shownSpan } from "../../yaml/locate.ts";
import type { YamlEntry, YamlNode, YamlPath } from "../../yaml/tree.ts";
import { fill } from "../fill.ts";
import { moveFixes } from "../fixes/move.ts";
import type { Found, ManifestRule } from "./rule.ts";
import { formatPath } from "./written.ts";

export const messages = {
  misplaced:
    "{field} has no effect here: Kubernetes has no field {path} and drops it (or refuses it, with strict validation). It belongs to {target}.",
} as const;

/** Whether it is worth while to walk through a document. */
const WORDS = /tolerations|nodeSelector|affinity|nodeName/;
const FIELDS: ReadonlySet<string> = new Set(["tolerations", "nodeSelector", "affinity", "nodeName"]);

/** Mappings with free keys, and parts the user does not write: a field's name in them means nothing. */
const FREE: ReadonlySet<string> = new Set([
  "annotations",
  "labels",
  "matchLabels",
  "nodeSelector",
  "limits",
  "requests",
  "managedFields",
  "status",
  "volumeAttributes",
  "options",
  "parameters",
  "data",
]);

export const tolerationMisplaced: ManifestRule = {
  code: "toleration-misplaced",
  subject: "manifest",
  check(context) {
    const { item, file, document } = context;
    const { start, end } = document.yaml.span;
    if (!WORDS.test(file.text.slice(start, end))) return [];
    return misplaced(item.object, [], item.podSpecPath).map(({ entry, path }): Found => {
      const field = keyText(entry.key);
      const target = formatPath([...item.podSpecPath, field]);
      return {
        severity: "error",
        span: shownSpan(entry.key),
        message: fill(messages.misplaced, { field, path: formatPath(path), target }),
        fixes: moveFixes(context, path, target),
      };
    });
  },
};

interface Misplaced {
  readonly entry: YamlEntry;
  readonly path: YamlPath;
}

function misplaced(node: YamlNode, path: YamlPath, podSpecPath: YamlPath): readonly Misplaced[] {
  // An alias is judged where its anchor stands.
  if (node.kind === "scalar" || node.alias !== null) return [];
  if (node.kind === "sequence")
    return node.items.flatMap((item, index) => misplaced(item, [...path, index], podSpecPath));
  const isPodSpec = samePath(path, podSpecPath);
  return node.entries.flatMap((entry): readonly Misplaced[] => {
    const key = keyText(entry.key);
    const at = [...path, key];
    if (entry.merged) return [];
    if (FIELDS.has(key) && !isPodSpec) return [{ entry, path: at }];
    if (FREE.has(key) && !isPrefix(at, podSpecPath)) return [];
    return misplaced(entry.value, at, podSpecPath);
  });
}

function samePath(a: YamlPath, b: YamlPath): boolean {
  return a.length === b.length && isPrefix(a, b);
}

function isPrefix(prefix: YamlPath, path: YamlPath): boolean {
  return prefix.every((step, index) => path[index] === step);
}
