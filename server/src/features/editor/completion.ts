// Features layer, editor: what can be typed here, from the cluster; from Kubernetes alone where there is none.
import type { ClusterModel } from "../../cluster/model.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { daemonSetTolerations, templateTolerations } from "../../scheduling/implied-tolerations.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { renderFlow } from "../../yaml/edit/index.ts";
import { schedulingOf } from "../diagnostics/judge.ts";
import { count } from "../fill.ts";
import { exactToleration } from "../fixes/fix.ts";
import { type EditorContext, workloadsOf } from "./context.ts";
import { type TypingPlace, typingPlace } from "./typing-place.ts";

export interface CompletionEntry {
  readonly label: string;
  readonly kind: "toleration" | "key" | "value" | "operator" | "effect" | "label" | "resource" | "field";
  readonly detail: string;
  /** Replaces `span`; `snippet` texts hold `$1`, `${2:…}` marks. */
  readonly newText: string;
  readonly snippet: boolean;
  readonly span: Span;
  /** Position among the others. */
  readonly order: number;
}

type Draft = Omit<CompletionEntry, "span" | "order">;

/** The entries at a UTF-16 offset; empty where nothing of ours can stand. */
export function completions(context: EditorContext, offset: number): readonly CompletionEntry[] {
  const { text } = context.file;
  const place = typingPlace(text, offset);
  const span = { start: place.start, end: offset };
  return drafts(place, context, offset).map((draft, order) => ({ ...draft, span, order }));
}

function drafts(place: TypingPlace, context: EditorContext, offset: number): readonly Draft[] {
  const { keys } = place;
  const last = keys.findLastIndex((key) => key !== "-");
  const parent = keys[last];
  if (keys.includes("tolerations") && !keys.includes("affinity")) return inTolerations(place, context, offset);
  if (parent === "nodeSelector") return inNodeSelector(place, context);
  if (keys.includes("matchExpressions")) return inExpression(place, context);
  if ((parent === "limits" || parent === "requests") && keys.includes("resources")) return inResources(place, context);
  return [];
}

function inTolerations(place: TypingPlace, context: EditorContext, offset: number): readonly Draft[] {
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

function effects(taints: readonly Counted[], key: string | undefined): readonly Draft[] {
  const used = nodesBy(
    taints.filter(({ taint }) => key === undefined || taint.key === key),
    (taint) => taint.effect,
  );
  const known = [
    ["NoSchedule", "keeps new pods away"],
    ["NoExecute", "keeps new pods away and evicts running ones"],
    ["PreferNoSchedule", "the scheduler avoids the node"],
  ] as const;
  const order = [...known].sort(([left], [right]) => (used.get(right)?.length ?? 0) - (used.get(left)?.length ?? 0));
  return order.map(([effect, what]) => {
    const nodes = used.get(effect)?.length ?? 0;
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
  const byTaint = new Map<string, { taint: Taint; nodes: string[] }>();
  for (const { taint, node } of missing) {
    const known = byTaint.get(formatTaint(taint));
    if (known === undefined) byTaint.set(formatTaint(taint), { taint, nodes: [node] });
    else known.nodes.push(node);
  }
  const found = [...byTaint.values()].sort((left, right) => right.nodes.length - left.nodes.length);
  if (found.length > 0) {
    return found.map(({ taint, nodes }) => ({
      label: formatTaint(taint),
      kind: "toleration",
      detail: `tolerate it · ${count(nodes.length, "node")}`,
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

function inNodeSelector(place: TypingPlace, context: EditorContext): readonly Draft[] {
  const labels = labelsOf(context.clusters);
  if (place.valueOf !== null) return values("value", labels.get(place.valueOf) ?? new Map(), true);
  const present = place.siblings;
  return [...labels]
    .filter(([key]) => !present.has(key))
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([key, byValue]) => ({
      label: key,
      kind: "label",
      detail: `${count(byValue.size, "value")} on ${count(total(byValue), "node")}`,
      newText: `${key}: `,
      snippet: false,
    }));
}

function inExpression(place: TypingPlace, context: EditorContext): readonly Draft[] {
  const labels = labelsOf(context.clusters);
  if (place.valueOf === "key") {
    return [...labels].map(([key, byValue]) =>
      draft(key, "label", `${count(byValue.size, "value")} on ${count(total(byValue), "node")}`),
    );
  }
  if (place.valueOf === "operator") {
    const known = [
      ["In", "the value is one of `values`"],
      ["NotIn", "the label is absent or has another value"],
      ["Exists", "the label is there"],
      ["DoesNotExist", "the label is not there"],
      ["Gt", "the value is a greater whole number"],
      ["Lt", "the value is a smaller whole number"],
    ] as const;
    return known.map(([operator, detail]) => draft(operator, "operator", detail));
  }
  if (place.keys.includes("values") || place.valueOf === "values") {
    const key = place.siblings.get("key") ?? keyAbove(context.file.text, place);
    return key === null ? [] : values("value", labels.get(key) ?? new Map(), true);
  }
  return [];
}

/** The `key:` of the expression whose `values` list is typed on lines of its own. */
function keyAbove(text: string, place: TypingPlace): string | null {
  const before = text.slice(Math.max(0, place.start - 2_000), place.start);
  const found = [...before.matchAll(/(?:^|[{,\s-])key:\s*["']?([\w./-]+)/g)].at(-1);
  return found?.[1] ?? null;
}

function inResources(place: TypingPlace, context: EditorContext): readonly Draft[] {
  if (place.valueOf !== null) return [];
  const offers = new Map<string, { allocatable: number; nodes: number }>();
  for (const cluster of context.clusters) {
    for (const node of cluster.nodes.values()) {
      for (const [resource, amount] of Object.entries(node.allocatable ?? {})) {
        if (!isExtendedResource(resource)) continue;
        const known = offers.get(resource) ?? { allocatable: 0, nodes: 0 };
        offers.set(resource, { allocatable: known.allocatable + amount, nodes: known.nodes + (amount > 0 ? 1 : 0) });
      }
    }
  }
  return [...offers]
    .filter(([resource]) => !place.siblings.has(resource))
    .map(([resource, { allocatable, nodes }]) => ({
      label: resource,
      kind: "resource",
      detail: `${formatAmount(resource, allocatable)} allocatable on ${count(nodes, "node")}`,
      newText: `${resource}: `,
      snippet: false,
    }));
}

interface Counted {
  readonly taint: Taint;
  readonly node: string;
  readonly cluster: ClusterModel;
}

function taintsOf(clusters: readonly ClusterModel[]): readonly Counted[] {
  return clusters.flatMap((cluster) =>
    [...cluster.nodes.values()].flatMap((node) => node.taints.map((taint) => ({ taint, node: node.name, cluster }))),
  );
}

/** Nodes by what `of` reads of their taints. */
function nodesBy(taints: readonly Counted[], of: (taint: Taint) => string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { taint, node } of taints) found.set(of(taint), [...(found.get(of(taint)) ?? []), node]);
  return found;
}

/** Label keys → values → nodes. */
function labelsOf(clusters: readonly ClusterModel[]): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const labels = new Map<string, Map<string, string[]>>();
  for (const cluster of clusters) {
    for (const node of cluster.nodes.values()) {
      for (const [key, value] of Object.entries(node.labels)) {
        const byValue = labels.get(key) ?? new Map<string, string[]>();
        byValue.set(value, [...(byValue.get(value) ?? []), node.name]);
        labels.set(key, byValue);
      }
    }
  }
  return labels;
}

function total(byValue: ReadonlyMap<string, readonly string[]>): number {
  return [...byValue.values()].reduce((sum, nodes) => sum + nodes.length, 0);
}

/** Values with the number of nodes, the most frequent first; quoted where Kubernetes would misread them. */
function values(
  kind: Draft["kind"],
  found: ReadonlyMap<string, readonly string[]>,
  emptyToo = false,
): readonly Draft[] {
  return [...found]
    .filter(([value]) => emptyToo || value !== "")
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([value, nodes]) => ({
      label: value === "" ? '""' : value,
      kind,
      detail: count(nodes.length, "node"),
      newText: renderFlow(value, false),
      snippet: false,
    }));
}

function draft(text: string, kind: Draft["kind"], detail: string): Draft {
  return { label: text, kind, detail, newText: text, snippet: false };
}

/** The workload whose object holds the offset, else the last one that starts before it in the same document. */
function workloadAt(context: EditorContext, offset: number): ManifestWorkload | null {
  const before = workloadsOf(context.file).filter(({ object }) => object.span.start <= offset);
  const holding = before.findLast(({ object }) => object.span.end >= offset);
  const nearest = holding ?? before.at(-1) ?? null;
  const own = context.file.documents.find(({ workloads }) => nearest !== null && workloads.includes(nearest));
  return own !== undefined && own.yaml.span.end >= offset ? nearest : (holding ?? null);
}
