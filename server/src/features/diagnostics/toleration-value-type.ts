// Diagnostic `toleration-value-type`: a scalar that Kubernetes reads as another type than the field has.
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

const FIELDS: readonly string[] = ["tolerations", "nodeSelector", "affinity", "nodeName"];

export const tolerationValueType: ManifestRule = {
  code: "toleration-value-type",
  subject: "manifest",
  check(context) {
    const { item } = context;
    return item.undecodable.flatMap(({ path, span, expected, found }): Found[] => {
      const node = nodeAt(item.object, path);
      if (!concernsPlacement(path, item.podSpecPath)) return [];
      const tolerationShape = path[item.podSpecPath.length] === "tolerations" && node?.kind !== "scalar";
      if (tolerationShape || node === null || isTolerationItem(path, item.podSpecPath)) return [];
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

function concernsPlacement(path: YamlPath, podSpecPath: YamlPath): boolean {
  if (!podSpecPath.every((step, index) => path[index] === step)) return false;
  const field = path[podSpecPath.length];
  return typeof field === "string" && FIELDS.includes(field);
}

/** The list itself or an item that is no mapping: `toleration-invalid` speaks. */
function isTolerationItem(path: YamlPath, podSpecPath: YamlPath): boolean {
  return path[podSpecPath.length] === "tolerations" && path.length <= podSpecPath.length + 2;
}
