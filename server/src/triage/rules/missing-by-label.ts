// Triage rule platform-pod-missing, by label: a DaemonSet is not meant for the node any more, because a label has gone or
// was never set, and the node shows that it needs the pod all the same.

import { describeMismatch } from "../../scheduling/reason.ts";
import type { SelectorMismatch } from "../../scheduling/verdict.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";
import { canHost, isSwitchedOff } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { ailmentOf } from "../facts/pod-health.ts";
import { domainOf } from "../facts/resources.ts";
import { readComplaint } from "../read/not-ready.ts";
import type { Symptom } from "../symptom.ts";
import { listNames } from "../wording/list.ts";
import { missing } from "./missing-pod.ts";

/** A DaemonSet that the node's labels exclude. */
interface Excluded {
  readonly daemonSet: DaemonSetFacts;
  readonly mismatches: readonly SelectorMismatch[];
  /** Those that could set the absent labels. */
  readonly labellers: readonly DaemonSetFacts[];
  /** What shows that the node needs it, in words; empty when nothing does. */
  readonly need: string;
}

/**
 * The excluded DaemonSets whose devices the node lacks, and those that were here, or are on a node of the same kind,
 * while the workload that sets their label is itself missing or broken here. Two that wait for each other's label are
 * named as a circle. `direct` are the node's other missing pods.
 */
export function missingByLabel(facts: ClusterFacts, node: NodeFacts, direct: readonly Symptom[]): readonly Symptom[] {
  const excluded = candidates(facts, node).flatMap((daemonSet) => excludedHere(facts, node, daemonSet) ?? []);
  const broken = new Set(direct.map((symptom) => symptom.about.daemonSet));
  for (const daemonSet of facts.here.living(node.name)) {
    const ailing = daemonSet
      .podsOn(node.name)
      .living.some((pod) => ailmentOf(facts, pod, node.ready !== "False") !== null);
    if (ailing) broken.add(daemonSet.key);
  }
  const found = new Map<string, Symptom>();
  for (const circle of circlesOf(excluded)) {
    for (const entry of circle) found.set(entry.daemonSet.key, report(facts, node, entry, circle));
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const entry of excluded) {
      const { key } = entry.daemonSet;
      const waitsFor = entry.labellers.find((labeller) => broken.has(labeller.key) || found.has(labeller.key));
      const lacks = lacksDevices(facts, node, entry.daemonSet) || lacksNetwork(facts, node, entry.daemonSet);
      if (found.has(key) || entry.need === "" || (waitsFor === undefined && !lacks)) {
        continue;
      }
      found.set(key, report(facts, node, entry, waitsFor === undefined ? [] : [entry, waitsFor]));
      grown = true;
    }
  }
  return [...found.values()];
}

/**
 * The DaemonSets that can be found: those that wait for a label which another one sets, those whose devices the node
 * lacks, and the network plugins where it waits for one. All the others that exclude the node stay silent.
 */
function candidates(facts: ClusterFacts, node: NodeFacts): readonly DaemonSetFacts[] {
  const labelled = facts.here.labelled();
  const plugins = facts.index.lacks(node).flatMap(({ resource }) => facts.index.plugins(resource));
  if (plugins.length === 0 && node.ready !== "False") return labelled;
  const wanted = new Set([...labelled, ...plugins]);
  return facts.platform.filter(
    (daemonSet) => wanted.has(daemonSet) || (node.ready === "False" && daemonSet.role === "network plugin"),
  );
}

function excludedHere(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): Excluded | null {
  if (daemonSet.podsOn(node.name).living.length > 0 || daemonSet.admits(node.node) || !canHost(node, daemonSet))
    return null;
  if (isSwitchedOff(node, daemonSet)) return null;
  const mismatches = daemonSet.mismatches(node.node);
  if (mismatches.length === 0 || mismatches.some((mismatch) => mismatch.key === "" || mismatch.where === "nodeName"))
    return null;
  const absent = mismatches.filter((mismatch) => mismatch.found === null).map((mismatch) => mismatch.key);
  const labellers = absent
    .flatMap((label) => facts.here.labellers(label))
    .filter((entry) => entry.key !== daemonSet.key);
  return { daemonSet, mismatches, labellers, need: needOf(facts, node, daemonSet, absent) };
}

function lacksDevices(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  return facts.index.lacks(node).some((lack) => facts.index.plugins(lack.resource).includes(daemonSet));
}

/** The kubelet waits for a network plugin, and every one that the cluster has is kept off the node by labels. */
function lacksNetwork(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  if (daemonSet.role !== "network plugin" || node.ready !== "False") return false;
  if (readComplaint(node.readyCondition?.message ?? "").complaint !== "network") return false;
  return facts.platform
    .filter((other) => other.role === "network plugin" && canHost(node, other))
    .every((other) => !other.admits(node.node) && other.podsOn(node.name).living.length === 0);
}

function needOf(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts, absent: readonly string[]): string {
  if (lacksDevices(facts, node, daemonSet)) return "the node lacks its devices";
  if (lacksNetwork(facts, node, daemonSet)) return "the node waits for a network plugin";
  if (facts.index.baselineHad(node.name, daemonSet.workload.uid)) return "an earlier snapshot had its pod here";
  const [label] = absent;
  if (label === undefined) return "";
  const domain = domainOf(label);
  const { key } = facts.index.kind(node, domain);
  for (const name of daemonSet.livingOn) {
    const other = facts.nodes.get(name);
    if (other === undefined || facts.index.kind(other, domain).key !== key) continue;
    if (absent.every((entry) => entry in other.node.labels)) return `it runs on ${name}, a node of the same kind`;
  }
  return "";
}

/** Circles of DaemonSets each of which waits for the label that the next one sets, at least one of them needed. */
function circlesOf(excluded: readonly Excluded[]): readonly (readonly Excluded[])[] {
  const byKey = new Map(excluded.map((entry) => [entry.daemonSet.key, entry]));
  const circles: Excluded[][] = [];
  const closed = new Set<string>();
  for (const start of excluded) {
    const path: Excluded[] = [];
    let at: Excluded | undefined = start;
    while (at !== undefined && !path.includes(at)) {
      path.push(at);
      at = at.labellers.map((labeller) => byKey.get(labeller.key)).find((entry) => entry !== undefined);
    }
    if (at === undefined) continue;
    const circle = path.slice(path.indexOf(at));
    const seen = circle.some((entry) => closed.has(entry.daemonSet.key));
    if (seen || !circle.some((entry) => entry.need !== "")) continue;
    for (const entry of circle) closed.add(entry.daemonSet.key);
    circles.push(circle);
  }
  return circles;
}

function report(
  facts: ClusterFacts,
  node: NodeFacts,
  entry: Excluded,
  chain: readonly (Excluded | DaemonSetFacts)[],
): Symptom {
  const { daemonSet, mismatches } = entry;
  const names = chain.map((link) => ("daemonSet" in link ? link.daemonSet : link)).filter((link) => link !== daemonSet);
  const circle = chain.length > 0 && chain.every((link) => "daemonSet" in link) && names.length > 0;
  const reason = mismatches.map(describeMismatch).join("; ");
  const state = migState(node, mismatches);
  const label = mismatches[0]?.key ?? "";
  const waits = listNames(names.map((name) => name.key));
  const tail = circle
    ? ` The label comes from ${waits}, which waits for ${daemonSet.key} in turn: a circle.`
    : names.length > 0
      ? ` The label comes from ${waits}, which does not work here.`
      : "";
  return missing(facts, node, daemonSet, {
    message: `${reason}${state}, and ${entry.need || "others wait for it"}.${tail}`,
    summary: `${daemonSet.name} excluded by label ${label}${circle ? ` (circle with ${waits})` : ""}`,
    advice: adviceOf(node, mismatches, circle, waits),
    evidence: mismatches.map((mismatch) => ({
      text: describeMismatch(mismatch),
      at: null,
      object: { kind: "Node", namespace: null, name: node.name },
    })),
    about: { waitsFor: names.map((name) => name.key) },
  });
}

/** A state label beside the mismatching one (`….state`), for it says what the owner of the labels is about. */
function migState(node: NodeFacts, mismatches: readonly SelectorMismatch[]): string {
  const domains = mismatches.map((mismatch) => domainOf(mismatch.key));
  const states = Object.entries(node.node.labels).filter(
    ([key]) => key.endsWith(".state") && domains.includes(domainOf(key)),
  );
  return states.length === 0 ? "" : ` (${states.map(([key, value]) => `${key}=${value}`).join(", ")})`;
}

function adviceOf(node: NodeFacts, mismatches: readonly SelectorMismatch[], circle: boolean, waits: string): string {
  const [first] = mismatches;
  if (first === undefined) return "";
  const value = first.operator === "In" && first.wanted.length === 1 ? `=${first.wanted[0]}` : "=VALUE";
  if (circle)
    return `Break the circle: set one label by hand (kubectl label node ${node.name} ${first.key}${value}), then let one of the two select something that is always there.`;
  if (waits !== "") return `Bring ${waits} back on ${node.name}: it sets the label ${first.key}.`;
  if (first.found === null || first.operator !== "In") {
    return `If the node is meant to have the pod, change the selector of the DaemonSet, or: kubectl label node ${node.name} ${first.key}${value}`;
  }
  return `Find who set ${first.key}=${first.found} and let it finish; then: kubectl label node ${node.name} ${first.key}${value} --overwrite`;
}
