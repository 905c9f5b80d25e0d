// Features layer, editor: a file's workloads, their tolerations and selectors as an outline.

import { formatToleration } from "../../kube/toleration.ts";
import { formatRef } from "../../kube/workload.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestFile, ManifestWorkload } from "../../workload/manifest.ts";
import { itemsAt, keySpanAt, nodeAt, shownSpan } from "../../yaml/locate.ts";
import { workloadsOf } from "./context.ts";

export interface OutlineEntry {
  readonly name: string;
  readonly detail: string;
  readonly kind: "workload" | "toleration" | "selector";
  /** All of it. */
  readonly span: Span;
  /** What to put the cursor on; inside `span`. */
  readonly nameSpan: Span;
  readonly children: readonly OutlineEntry[];
}

/** The outline of a file, in text order. */
export function outline(file: ManifestFile): readonly OutlineEntry[] {
  return workloadsOf(file).map((item) => {
    const { workload, object, nameSpan } = item;
    const { kind, namespace, name, generateName } = workload;
    return {
      name: formatRef({ kind, namespace, name, generateName }),
      detail: "",
      kind: "workload",
      span: around(object.span, nameSpan),
      nameSpan,
      children: [...tolerations(item), ...selector(item)],
    };
  });
}

function tolerations({ object, podSpecPath, workload }: ManifestWorkload): readonly OutlineEntry[] {
  return itemsAt(object, [...podSpecPath, "tolerations"]).flatMap((node, index): readonly OutlineEntry[] => {
    const toleration = workload.template.tolerations[index];
    const span = shownSpan(node);
    if (toleration === undefined || span.end === span.start) return [];
    return [
      {
        name: formatToleration(toleration),
        detail: "toleration",
        kind: "toleration",
        span,
        nameSpan: span,
        children: [],
      },
    ];
  });
}

function selector({ object, podSpecPath, workload }: ManifestWorkload): readonly OutlineEntry[] {
  const path = [...podSpecPath, "nodeSelector"];
  const key = keySpanAt(object, path);
  const node = nodeAt(object, path);
  const pairs = Object.entries(workload.template.nodeSelector);
  if (key === null || node === null || pairs.length === 0) return [];
  const name = pairs.map(([label, value]) => `${label}=${value}`).join(", ");
  return [
    {
      name,
      detail: "node selector",
      kind: "selector",
      span: around(key, shownSpan(node)),
      nameSpan: key,
      children: [],
    },
  ];
}

/** The smallest span that holds both: an alias may lie before its use. */
function around(outer: Span, inner: Span): Span {
  return { start: Math.min(outer.start, inner.start), end: Math.max(outer.end, inner.end) };
}
