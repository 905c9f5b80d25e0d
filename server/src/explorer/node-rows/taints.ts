// Explorer layer, node rows: the section "Taints": how old each is, where that can be known, and who tolerates it.
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { listSome } from "../../report/text-layout.ts";
import { duration } from "../../report/time.ts";
import type { DaemonSetFacts } from "../../triage/facts/daemon-set.ts";
import { canHost } from "../../triage/facts/need.ts";
import { type Element, element } from "../element.ts";
import { type OpenedNode, type Section, targetOn } from "./section.ts";

/** One row per taint; under it the platform DaemonSets that are meant for the node, blocked ones first. */
export function taintSection(opened: OpenedNode): Section {
  const { taints } = opened.facts.node;
  return {
    key: "taints",
    label: "Taints",
    description: listSome(taints.map(formatTaint), 3),
    rows: (id) => taints.map((taint) => taintElement(id, opened, taint)),
  };
}

function taintElement(parent: string, opened: OpenedNode, taint: Taint): Element {
  const meant = opened.cluster.facts.platform.filter(
    (daemonSet) => canHost(opened.facts, daemonSet) && daemonSet.admits(opened.facts.node),
  );
  const hard = isHardEffect(taint.effect);
  const blocked = hard ? meant.filter((daemonSet) => blocks(daemonSet, opened, taint)) : [];
  const tolerated = meant.filter((daemonSet) => !blocked.includes(daemonSet));
  const who = !hard
    ? "keeps nothing away for certain"
    : meant.length === 0
      ? ""
      : `tolerated by ${tolerated.length} of ${meant.length} platform DaemonSets`;
  return element({
    parent,
    key: formatTaint(taint),
    kind: "taint",
    label: formatTaint(taint),
    description: [ageText(opened, taint), who].filter((part) => part !== "").join(" · "),
    tooltip: [
      blocked.length === 0
        ? ""
        : `Not tolerated by ${listSome(
            blocked.map((one) => one.key),
            12,
          )}`,
    ],
    ...(hard && meant.length > 0
      ? {
          children: (id: string) =>
            [...blocked, ...tolerated].map((daemonSet) =>
              element({
                parent: id,
                key: daemonSet.workload.uid || daemonSet.key,
                kind: "daemonset",
                label: daemonSet.key,
                description: blocked.includes(daemonSet) ? "does not tolerate it" : "tolerates it",
                target: targetOn(opened, "DaemonSet", daemonSet.namespace, daemonSet.name),
              }),
            ),
        }
      : {}),
  });
}

function blocks(daemonSet: DaemonSetFacts, { facts }: OpenedNode, taint: Taint): boolean {
  return daemonSet.untolerated(facts).some((other) => formatTaint(other) === formatTaint(taint));
}

/** People and the kubelet leave no time on a taint; an earlier snapshot that has it gives the least age. */
function ageText({ cluster, facts }: OpenedNode, taint: Taint): string {
  const { now } = cluster.facts;
  if (taint.timeAdded !== null && now !== null && now >= taint.timeAdded)
    return `for ${duration(now - taint.timeAdded)}`;
  const before = cluster.baseline;
  const had = before?.nodes.get(facts.name)?.taints.some((other) => formatTaint(other) === formatTaint(taint)) ?? false;
  const seen = before?.observedAt ?? null;
  if (had && seen !== null && now !== null && now >= seen) return `for at least ${duration(now - seen)}`;
  return "age unknown";
}
