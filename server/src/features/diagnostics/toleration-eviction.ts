// Diagnostic `toleration-eviction`: tolerationSeconds that make pods come and go for ever, or that are lost.

import { matchesTaint } from "../../config/pattern.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { formatTaint } from "../../kube/taint.ts";
import { formatToleration } from "../../kube/toleration.ts";
import { type Eviction, evictionOf } from "../../scheduling/eviction.ts";
import {
  daemonSetTolerations,
  impliedTolerations,
  sameToleration,
  templateTolerations,
} from "../../scheduling/implied-tolerations.ts";
import { removeEntry } from "../../yaml/edit/index.ts";
import { count, fill, listing } from "../fill.ts";
import { fixOf, targetOf } from "../fixes/fix.ts";
import { removeToleration } from "../fixes/remove-toleration.ts";
import type { JudgedCluster } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { fieldSpan, tolerationsPath, type WrittenToleration, writtenTolerations } from "./written.ts";

export const messages = {
  loop: "Pods are placed on {nodes} ({names}) with {taint}, evicted after {seconds} s, and placed there again: the taint has no NoSchedule twin that keeps new pods away.",
  overwritten: "The DaemonSet controller replaces {toleration} by its own endless one: the {seconds} s have no effect.",
  endless: "Tolerate it without a limit",
  removeOverwritten: "Remove it: the controller adds the endless one",
} as const;

export const tolerationEviction: PlacementRule = {
  code: "toleration-eviction",
  subject: "placement",
  check(context) {
    return [...overwritten(context), ...context.clusters.flatMap((cluster) => loops(cluster, context))];
  },
};

function overwritten(context: WorkloadContext): readonly Found[] {
  const { workload } = context.item;
  if (workload.kind !== "DaemonSet") return [];
  const implied = impliedTolerations(workload.template);
  return writtenTolerations(context.item)
    .filter(
      ({ toleration }) =>
        toleration.tolerationSeconds !== null && implied.some((entry) => sameToleration(entry, toleration)),
    )
    .map(
      (written): Found => ({
        severity: "information",
        span: fieldSpan(written, "tolerationSeconds"),
        message: fill(messages.overwritten, {
          toleration: formatToleration({ ...written.toleration, tolerationSeconds: null }),
          seconds: written.toleration.tolerationSeconds ?? 0,
        }),
        fixes: removeToleration(context, written, messages.removeOverwritten, "suggested"),
      }),
    );
}

/** A bare Pod is not made again. */
function loops(cluster: JudgedCluster, context: WorkloadContext): readonly Found[] {
  const { workload } = context.item;
  if (workload.kind === "Pod" || workload.kind === "PodTemplate" || workload.template.nodeName !== "") return [];
  if (workload.template.tolerations.every((toleration) => toleration.tolerationSeconds === null)) return [];
  const list =
    workload.kind === "DaemonSet" ? daemonSetTolerations(workload.template) : templateTolerations(workload.template);
  const byTaint = new Map<string, { readonly eviction: Eviction; readonly nodes: string[] }>();
  for (const { placement, nodes, hosting } of cluster.groups()) {
    if (hosting !== "hosts" || (placement.verdict !== "fits" && placement.verdict !== "run")) continue;
    const taints = placement.taints
      .map((answer) => answer.taint)
      .filter((taint) => {
        if (isTransientTaint(taint, context.config.transientTaints)) return false;
        return !context.config.ignoredTaints.some((pattern) => matchesTaint(pattern, taint));
      });
    const eviction = evictionOf(list, taints, context.scheduling);
    if (eviction === null || eviction.toleration === null) continue;
    const key = formatTaint(eviction.taint);
    const known = byTaint.get(key) ?? { eviction, nodes: [] };
    known.nodes.push(...nodes);
    byTaint.set(key, known);
  }
  const written = writtenTolerations(context.item);
  return [...byTaint.values()].flatMap(({ eviction, nodes }) => {
    const entry = written.find(({ index }) => index === eviction.toleration?.index);
    return entry === undefined ? [] : [loop(entry, eviction, nodes, cluster, context)];
  });
}

function loop(
  written: WrittenToleration,
  { taint, afterSeconds }: Eviction,
  nodes: readonly string[],
  cluster: JudgedCluster,
  context: WorkloadContext,
): Found {
  const path = [...tolerationsPath(context.item), written.index, "tolerationSeconds"];
  return {
    severity: "warning",
    span: fieldSpan(written, "tolerationSeconds"),
    message: fill(messages.loop, {
      nodes: count(nodes.length, "node"),
      names: listing(nodes),
      taint: formatTaint(taint),
      seconds: afterSeconds,
    }),
    taints: [formatTaint(taint)],
    nodes,
    cluster: cluster.model.name,
    fixes: fixOf(messages.endless, removeEntry(targetOf(context), path), "suggested", true),
  };
}
