// Diagnostic `toleration-value-type`: a field that is read has another type than the Kubernetes API gives it.
import { nodeAt } from "../../yaml/locate.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import { fill } from "../fill.ts";
import { quoteFixes, unquoteFixes } from "../fixes/quote.ts";
import type { Found, ManifestRule } from "./rule.ts";
import { describeType } from "./words.ts";
import { formatPath } from "./written.ts";

export const messages = {
  text: "Kubernetes reads {source} as {found}, but {field} must be text: quote it. The API server cannot read the {kind}.",
  number: "{field} must be a whole number without quotes. The API server cannot read the {kind}.",
  other: "{field} must be {expected}; this is {found}. The API server cannot read the {kind}.",
} as const;

export const tolerationValueType: ManifestRule = {
  code: "toleration-value-type",
  subject: "manifest",
  check(context) {
    const { item } = context;
    return item.undecodable.flatMap(({ path, span, expected, found }): Found[] => {
      const node = nodeAt(item.object, path);
      if (node === null || isTolerationItem(path, item.podSpecPath)) return [];
      const shape = STRUCTURES.has(expected) || STRUCTURES.has(found);
      if (!shape && !concernsPlacement(path, item.podSpecPath)) return [];
      const field = formatPath(path);
      const kind = item.workload.kind;
      const seconds = path.at(-1) === "tolerationSeconds";
      if (node.kind !== "scalar" || (expected !== "string" && !seconds)) {
        return [
          {
            severity: "error",
            span,
            message: fill(messages.other, {
              field,
              expected: describeType(expected),
              found: describeType(found),
              kind,
            }),
          },
        ];
      }
      if (seconds) {
        const message = fill(messages.number, { field, kind });
        return [{ severity: "error", span, message, fixes: unquoteFixes(context, path, node.source) }];
      }
      const message = fill(messages.text, { source: node.source, found: describeType(found), field, kind });
      return [{ severity: "error", span, message, fixes: quoteFixes(context, path, node.source) }];
    });
  },
};

const STRUCTURES: ReadonlySet<string> = new Set(["list", "object"]);

/** Fields of the pod spec in which only `resources` decide where the pod goes. */
const PARTS: ReadonlySet<unknown> = new Set(["containers", "initContainers", "volumes"]);

/** A text read as a number is told where it decides on placement; the names, labels and commands are any validator's. */
function concernsPlacement(path: YamlPath, podSpecPath: YamlPath): boolean {
  if (!podSpecPath.every((step, index) => path[index] === step)) return false;
  return !PARTS.has(path[podSpecPath.length]) || path[podSpecPath.length + 2] === "resources";
}

/** The list itself or an item that is no mapping: `toleration-invalid` speaks. */
function isTolerationItem(path: YamlPath, podSpecPath: YamlPath): boolean {
  return path[podSpecPath.length] === "tolerations" && path.length <= podSpecPath.length + 2;
}
