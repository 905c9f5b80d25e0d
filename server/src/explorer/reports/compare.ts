// Explorer layer, reports: what changed between an earlier model of a cluster and now: taints, conditions, allocatable,
// platform pods.
import type { ClusterModel } from "../../cluster/model.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { formatTaint } from "../../kube/taint.ts";
import { clusterText } from "../../report/check-text.ts";
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { listSome } from "../../report/text-layout.ts";
import { isoTime } from "../../report/time.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { isLiving, startOf } from "../../triage/facts/pod-state.ts";

export interface NodeChange {
  readonly node: string;
  /** One line each, in Markdown, without the node's name. */
  readonly lines: readonly string[];
}

export interface Comparison {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Nodes that have the name of an earlier one and are others. */
  readonly remade: readonly string[];
  readonly changed: readonly NodeChange[];
  /** What could not be compared, in words. */
  readonly unknown: readonly string[];
}

/**
 * Compares two models of one cluster. `platform` are the keys (`namespace/name`) of DaemonSets to follow; `only` are the
 * nodes to look at, null: all.
 */
function compareModels(
  before: ClusterModel,
  now: ClusterModel,
  platform: readonly string[],
  only: readonly string[] | null,
): Comparison {
  const wanted = (name: string) => only === null || only.includes(name);
  const podsKnown = before.parts.pods === "known" && now.parts.pods === "known";
  const earlierPods = podsKnown ? placesOf(before) : null;
  const laterPods = podsKnown ? placesOf(now) : null;
  const changed: NodeChange[] = [];
  for (const node of now.nodes.values()) {
    const old = before.nodes.get(node.name);
    if (old === undefined || !wanted(node.name)) continue;
    const lines = [
      ...taintLines(old, node),
      ...conditionLines(old, node),
      ...amountLines(old, node),
      ...platform.flatMap((key) => podLine(key, node.name, earlierPods, laterPods)),
    ];
    if (lines.length > 0) changed.push({ node: node.name, lines });
  }
  return {
    added: [...now.nodes.keys()].filter((name) => !before.nodes.has(name) && wanted(name)),
    removed: [...before.nodes.keys()].filter((name) => !now.nodes.has(name) && wanted(name)),
    remade: [...now.nodes.values()]
      .filter((node) => wanted(node.name) && isRemade(before.nodes.get(node.name), node))
      .map(({ name }) => name),
    changed,
    unknown: podsKnown ? [] : ["Pods are not in both: which platform pods came and went is unknown."],
  };
}

/** The comparison as a report. */
export function compareReport(
  before: ClusterModel,
  now: ClusterModel,
  platform: readonly string[],
  only: readonly string[] | null = null,
): string {
  const { added, removed, remade, changed, unknown } = compareModels(before, now, platform, only);
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`- ${title}: ${listSome(names.map(code), 20)}`];
  const nothing = added.length + removed.length + remade.length + changed.length === 0;
  return `${[
    "## What changed since the snapshot",
    "",
    `Then: ${escapeMarkdown(clusterText(before))}`,
    "",
    `Now: ${escapeMarkdown(clusterText(now))}`,
    "",
    ...(nothing ? ["Nothing: taints, conditions, allocatable and platform pods are the same."] : []),
    ...list("new nodes", added),
    ...list("nodes that are gone", removed),
    ...list("nodes made anew under their name", remade),
    ...changed.flatMap(({ node, lines }) => ["", `### ${code(node)}`, "", ...lines.map((line) => `- ${line}`)]),
    ...(unknown.length === 0 ? [] : ["", ...unknown.map((text) => `> ${escapeMarkdown(text)}`)]),
  ].join("\n")}\n`;
}

function isRemade(before: ClusterNode | undefined, now: ClusterNode): boolean {
  return before !== undefined && before.uid !== "" && now.uid !== "" && before.uid !== now.uid;
}

function taintLines(before: ClusterNode, now: ClusterNode): readonly string[] {
  const old = before.taints.map(formatTaint);
  const added = now.taints.filter((taint) => !old.includes(formatTaint(taint)));
  const current = now.taints.map(formatTaint);
  return [
    ...added.map((taint) => {
      const at = taint.timeAdded === null ? "" : ` at ${isoTime(taint.timeAdded)}`;
      return `taint added${at}: ${code(formatTaint(taint))}`;
    }),
    ...old.filter((taint) => !current.includes(taint)).map((taint) => `taint removed: ${code(taint)}`),
    ...(before.unschedulable === now.unschedulable ? [] : [now.unschedulable ? "cordoned" : "uncordoned"]),
  ];
}

function conditionLines(before: ClusterNode, now: ClusterNode): readonly string[] {
  const types = new Set(now.conditions.map(({ type }) => type));
  const gone = before.conditions.filter(({ type }) => !types.has(type));
  const changed = now.conditions.flatMap((condition) => {
    const old = before.conditions.find(({ type }) => type === condition.type);
    const at = condition.lastTransitionTime === null ? "" : ` at ${isoTime(condition.lastTransitionTime)}`;
    const { type, status } = condition;
    if (old === undefined) return [`condition ${code(type)} is new: ${status}`];
    if (old.status !== status) {
      return [
        `${code(type)} went from ${old.status} to ${status}${at}: ${escapeMarkdown(condition.message || condition.reason)}`,
      ];
    }
    // The same status since another time: it left and came back in between.
    const flipped =
      old.lastTransitionTime !== null &&
      condition.lastTransitionTime !== null &&
      condition.lastTransitionTime > old.lastTransitionTime;
    return flipped
      ? [`${code(type)} changed in between and is ${status} again since ${isoTime(condition.lastTransitionTime)}`]
      : [];
  });
  return [...changed, ...gone.map(({ type, status }) => `condition ${code(type)} is gone; it was ${status}`)];
}

function amountLines(before: ClusterNode, now: ClusterNode): readonly string[] {
  if (before.allocatable === null || now.allocatable === null) return [];
  const names = new Set([...Object.keys(before.allocatable), ...Object.keys(now.allocatable)]);
  return [...names].sort().flatMap((name) => {
    const [was, is] = [before.allocatable?.[name] ?? null, now.allocatable?.[name] ?? null];
    if (was === is) return [];
    // Memory differs by a few pages from boot to boot.
    if (!isExtendedResource(name) && was !== null && is !== null && Math.abs(was - is) <= was * 0.02) return [];
    const text = (amount: number | null) => (amount === null ? "absent" : formatAmount(name, amount));
    return [`allocatable ${code(name)}: ${text(was)} → ${text(is)}`];
  });
}

interface PodThere {
  /** What tells one pod from the next. */
  readonly id: string;
  /** When the kubelet took it, milliseconds; null when unknown. */
  readonly since: number | null;
}

type Places = ReadonlyMap<string, PodThere>;

/** Where a DaemonSet's pods are, by `namespace/name` and node. */
function placesOf(model: ClusterModel): Places {
  const places = new Map<string, PodThere>();
  for (const pod of model.pods) {
    if (pod.controller?.kind !== "DaemonSet" || !isLiving(pod)) continue;
    const place = `${pod.namespace}/${pod.controller.name}@${pod.spec.nodeName}`;
    places.set(place, { id: pod.uid || pod.name, since: startOf(pod) });
  }
  return places;
}

function podLine(key: string, node: string, before: Places | null, now: Places | null): readonly string[] {
  const [was, is] = [before?.get(`${key}@${node}`), now?.get(`${key}@${node}`)];
  if (was?.id === is?.id) return [];
  const since = is === undefined || is.since === null ? "" : ` since ${isoTime(is.since)}`;
  if (was === undefined) return [`${code(key)} has a pod now${since}`];
  return [is === undefined ? `${code(key)} lost its pod` : `${code(key)} has another pod${since}`];
}
