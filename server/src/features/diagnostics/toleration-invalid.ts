// Diagnostic `toleration-invalid`: the API server refuses the toleration.
import { validateTolerations } from "../../scheduling/validate-tolerations.ts";
import { nodeAt } from "../../yaml/locate.ts";
import { fill } from "../fill.ts";
import { repairToleration, wrapInList } from "../fixes/repair-toleration.ts";
import type { Found, ManifestRule, WorkloadContext } from "./rule.ts";
import { describeType } from "./words.ts";
import { fieldSpan, formatPath, tolerationsPath, type WrittenToleration, writtenTolerations } from "./written.ts";

export const messages = {
  refused: "The API server refuses this {kind}: {field}: {reason}",
  statefulSet: "{message} Servers before 1.34 store the StatefulSet and then refuse each of its pods.",
  mapping: "tolerations must be a list; this is {found}. The API server cannot read the {kind}.",
  item: "{field} must be {expected}; this is {found}. The API server cannot read the {kind}.",
  gate: "{message} The operators Lt and Gt need the feature gate TaintTolerationComparisonOperators.",
} as const;

export const tolerationInvalid: ManifestRule = {
  code: "toleration-invalid",
  subject: "manifest",
  check(context) {
    return [...wrongShapes(context), ...writtenTolerations(context.item).flatMap((entry) => refusals(entry, context))];
  },
};

/** Structures that cannot be decoded: a mapping where the list stands, an item that is no mapping. */
function wrongShapes(context: WorkloadContext): readonly Found[] {
  const { item } = context;
  const list = tolerationsPath(item);
  return item.undecodable.flatMap(({ path, span, expected, found }): Found[] => {
    if (!startsWith(path, list)) return [];
    const node = nodeAt(item.object, path);
    if (path.length > list.length + 1) return [];
    const kind = item.workload.kind;
    if (path.length === list.length) {
      const message = fill(messages.mapping, { found: describeType(found), kind });
      return [{ severity: "error", span, message, fixes: node?.kind === "mapping" ? wrapInList(context) : [] }];
    }
    const message = fill(messages.item, {
      field: formatPath(path),
      expected: describeType(expected),
      found: describeType(found),
      kind,
    });
    return [{ severity: "error", span, message }];
  });
}

function refusals(written: WrittenToleration, context: WorkloadContext): readonly Found[] {
  const { item, scheduling } = context;
  const path = formatPath([...tolerationsPath(item), written.index]);
  return validateTolerations([written.toleration], "", scheduling).map((error, place): Found => {
    const name = error.field.replace(/^\[0\]/, "");
    const refused = fill(messages.refused, {
      kind: item.workload.kind,
      field: `${path}${name}`,
      reason: error.message,
    });
    const comparison = written.toleration.operator === "Lt" || written.toleration.operator === "Gt";
    const gated = comparison && name === ".operator" ? fill(messages.gate, { message: stop(refused) }) : refused;
    const late = item.workload.kind === "StatefulSet" ? fill(messages.statefulSet, { message: stop(gated) }) : gated;
    const fixes = place === 0 ? repairToleration(context, written) : [];
    return { severity: "error", span: fieldSpan(written, fieldOf(name, written)), message: late, fixes };
  });
}

/** The field to underline: the server names the operator for what is wrong with the value, and the effect for the seconds. */
function fieldOf(name: string, { toleration }: WrittenToleration): string {
  if (name === ".operator" && ["", "Equal", "Exists"].includes(toleration.operator) && toleration.value !== "") {
    return toleration.key === "" && toleration.operator !== "Exists" ? "operator" : "value";
  }
  const known = ["NoSchedule", "PreferNoSchedule", ""].includes(toleration.effect);
  if (name === ".effect" && toleration.tolerationSeconds !== null && known) return "tolerationSeconds";
  return name.slice(1);
}

function startsWith(path: readonly (string | number)[], prefix: readonly (string | number)[]): boolean {
  return prefix.every((step, index) => path[index] === step);
}

function stop(message: string): string {
  return message.endsWith(".") ? message : `${message}.`;
}
