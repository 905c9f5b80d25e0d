// Features layer, editor: completions inside a list of tolerations.
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { daemonSetTolerations, templateTolerations } from "../../scheduling/implied-tolerations.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { renderFlow } from "../../yaml/edit/index.ts";
import { schedulingOf } from "../diagnostics/judge.ts";
import { count } from "../fill.ts";
import { exactToleration } from "../fixes/fix.ts";
import { nodesBy, type SeenTaint, taintsOf } from "./cluster-values.ts";
import { type Draft, draft, values } from "./completion-draft.ts";
import { type EditorContext, workloadsOf } from "./context.ts";
import type { TypingPlace } from "./typing-place.ts";

/** What can stand at a place below `tolerations`: a field's value, a field, or a whole toleration. */
export function inTolerations(place: TypingPlace, context: EditorContext, offset: number): readonly Draft[] {
  const taints = taintsOf(context.clusters);
  switch (place.valueOf) {
    case "key":
      return values(
        "key",
        nodesBy(taints, (taint) => taint.key),
      );
    case "value": {
      const key = place.siblings.get("key");
      return values(
        "value",
        nodesBy(
          taints.filter(({ taint }) => key === undefined || taint.key === key),
          (taint) => taint.value,
        ),
      );
    }
    case "operator":
      return [
        draft("Equal", "operator", "the value must be equal (the default)"),
        draft("Exists", "operator", "any value; no `value` beside it"),
      ];
    case "effect":
      return effects(taints, place.siblings.get("key"));
    case null:
      break;
    default:
      return [];
  }
  const inItem = place.keys.at(-1) === "-" && place.siblings.size > 0;
  if (inItem) return fields(place);
  return wholeTolerations(place, context, offset);
}

function effects(taints: readonly SeenTaint[], key: string | undefined): readonly Draft[] {
  const used = nodesBy(
    taints.filter(({ taint }) => key === undefined || taint.key === key),
    (taint) => taint.effect,
  );
  const known = [
    ["NoSchedule", "keeps new pods away"],
    ["NoExecute", "keeps new pods away and evicts running ones"],
    ["PreferNoSchedule", "the scheduler avoids the node"],
  ] as const;
  const order = [...known].sort(([left], [right]) => (used.get(right) ?? 0) - (used.get(left) ?? 0));
  return order.map(([effect, what]) => {
    const nodes = used.get(effect) ?? 0;
    return draft(effect, "effect", nodes === 0 ? what : `${what} · ${count(nodes, "node")}`);
  });
}

const FIELDS = [
  ["key", "the taint's key"],
  ["operator", "Equal or Exists"],
  ["value", "the taint's value"],
  ["effect", "NoSchedule, NoExecute, PreferNoSchedule; empty: every effect"],
  ["tolerationSeconds", "with NoExecute: how long a pod stays"],
] as const;

function fields(place: TypingPlace): readonly Draft[] {
  return FIELDS.filter(([name]) => !place.siblings.has(name)).map(([name, detail]) => ({
    label: name,
    kind: "field",
    detail,
    newText: `${name}: `,
    snippet: false,
  }));
}

/** Whole tolerations for the hard taints of the cluster that the workload does not tolerate yet. */
function wholeTolerations(place: TypingPlace, context: EditorContext, offset: number): readonly Draft[] {
  const item = workloadAt(context, offset);
  const missing = taintsOf(context.clusters).filter(({ taint, cluster }) => {
    if (!isHardEffect(taint.effect) || isTransientTaint(taint, context.config.transientTaints)) return false;
    const { template } = item?.workload ?? {};
    if (template === undefined) return true;
    const effective =
      item?.workload.kind === "DaemonSet" ? daemonSetTolerations(template) : templateTolerations(template);
    return !anyTolerates(
      effective.map(({ toleration }) => toleration),
      taint,
      schedulingOf(context.config, cluster),
    );
  });
  const byTaint = new Map<string, { readonly taint: Taint; nodes: number }>();
  for (const { taint } of missing) {
    const known = byTaint.get(formatTaint(taint)) ?? { taint, nodes: 0 };
    known.nodes += 1;
    byTaint.set(formatTaint(taint), known);
  }
  const found = [...byTaint.values()].sort((left, right) => right.nodes - left.nodes);
  if (found.length > 0) {
    return found.map(({ taint, nodes }) => ({
      label: formatTaint(taint),
      kind: "toleration",
      detail: `tolerate it · ${count(nodes, "node")}`,
      newText: itemText(exactToleration(taint), place),
      snippet: false,
    }));
  }
  if (context.clusters.length > 0) return [];
  const template = {
    key: "$" + "{1:dedicated}",
    operator: "Equal",
    value: "$" + "{2:value}",
    effect: "$" + "{3|NoSchedule,NoExecute|}",
  };
  return [
    {
      label: "toleration",
      kind: "toleration",
      detail: "for a taint key=value:Effect",
      newText: itemText(template, place, true),
      snippet: true,
    },
  ];
}

/** A list item in the form that the place has: flow inside brackets, else a block whose lines align. */
function itemText(fields: Readonly<Record<string, unknown>>, place: TypingPlace, raw = false): string {
  const scalar = (value: unknown): string => (raw ? String(value) : renderFlow(String(value), false));
  const pairs = Object.entries(fields).map(([key, value]) => `${key}: ${scalar(value)}`);
  if (place.flow) return `{${pairs.join(", ")}}`;
  const column = place.startsItem ? place.column : place.column + 2;
  return `${place.startsItem ? "" : "- "}${pairs.join(`\n${" ".repeat(column)}`)}`;
}

/** The workload whose object holds the offset, else the last one that starts before it in the same document. */
function workloadAt(context: EditorContext, offset: number): ManifestWorkload | null {
  const before = workloadsOf(context.file).filter(({ object }) => object.span.start <= offset);
  const holding = before.findLast(({ object }) => object.span.end >= offset);
  const nearest = holding ?? before.at(-1) ?? null;
  const own = context.file.documents.find(({ workloads }) => nearest !== null && workloads.includes(nearest));
  return own !== undefined && own.yaml.span.end >= offset ? nearest : (holding ?? null);
}
