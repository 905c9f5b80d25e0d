// Features layer: the tolerations of a manifest, each with its text.
import type { Toleration } from "../../kube/toleration.ts";
import { validateTolerations } from "../../scheduling/validate-tolerations.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { entryAt, itemsAt, shownSpan } from "../../yaml/locate.ts";
import type { YamlNode, YamlPath } from "../../yaml/tree.ts";
import type { WorkloadContext } from "./rule.ts";

/** A toleration of the template and where it stands. */
export interface WrittenToleration {
  readonly toleration: Toleration;
  readonly index: number;
  readonly node: YamlNode;
  /** What to underline when the toleration as a whole is meant: the value of its key, else of its operator. */
  readonly label: Span;
}

/** Path from the object to its list of tolerations. */
export function tolerationsPath(item: ManifestWorkload): YamlPath {
  return [...item.podSpecPath, "tolerations"];
}

/**
 * The tolerations of a workload, in list order. One that is no mapping, or has a list or mapping where a text belongs,
 * is left out: what it would tolerate is unknown.
 */
export function writtenTolerations(item: ManifestWorkload): readonly WrittenToleration[] {
  const nodes = itemsAt(item.object, tolerationsPath(item));
  return item.workload.template.tolerations.flatMap((toleration, index) => {
    const node = nodes[index];
    if (node?.kind !== "mapping" || node.entries.some(({ value }) => value.kind !== "scalar")) return [];
    return [{ toleration, index, node, label: labelOf(node) }];
  });
}

/** The text of one field of a toleration, or its label where the field is not written. */
export function fieldSpan(written: WrittenToleration, field: string): Span {
  const entry = entryAt(written.node, field);
  return entry === null || written.node.alias !== null ? written.label : shownSpan(entry.value);
}

/** The tolerations that the API server accepts: what it refuses tolerates nothing in the end. */
export function validTolerations({
  item,
  scheduling,
}: Pick<WorkloadContext, "item" | "scheduling">): readonly WrittenToleration[] {
  return writtenTolerations(item).filter(
    ({ toleration }) => validateTolerations([toleration], "", scheduling).length === 0,
  );
}

function labelOf(node: YamlNode): Span {
  if (node.alias !== null) return node.alias.use;
  const named = ["key", "operator", "effect", "value"].map((field) => entryAt(node, field)?.value ?? null);
  const shown = named.find((value) => value !== null && value.kind === "scalar" && value.source !== "");
  return shownSpan(shown ?? node);
}

/** Path of a field in words, from the object: `spec.template.spec.tolerations[0].value`. */
export function formatPath(path: YamlPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
