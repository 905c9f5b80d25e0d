// Triage layer, chain: one taint that keeps several platform pods away is one root.
import type { Root } from "../finding.ts";
import type { Symptom } from "../symptom.ts";
import { listNames } from "../wording/list.ts";
import { taintList, tolerationLine } from "../wording/toleration-line.ts";
import { type Graph, reachOf } from "./graph.ts";
import { effectsInWords, fixIn } from "./roots.ts";

/** Groups roots that ask for the same tolerations; every other root is a group of its own. Order is kept. */
export function groupByTaint(graph: Graph, roots: readonly number[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const index of roots) {
    const symptom = graph.symptoms[index];
    const taints = symptom?.tolerate ?? [];
    const key = symptom === undefined || taints.length === 0 ? `${index}` : `${symptom.code}|${taintList(taints)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

/** The root that the taint is for several DaemonSets; null for a group of one. */
export function taintRoot(graph: Graph, group: readonly number[]): Root | null {
  const symptoms = group.flatMap((index) => graph.symptoms[index] ?? []);
  const [first] = symptoms;
  if (first === undefined || symptoms.length < 2) return null;
  const names = symptoms.map((symptom) => symptom.about.daemonSet);
  const effects = effectsInWords(new Set(group.flatMap((index) => effectsOf(graph, index))));
  const state = first.code === "platform-pod-time-bomb" ? "would not come back:" : "blocked by";
  const blocked = `${listNames(names.map((name) => name.slice(name.indexOf("/") + 1)))} ${state} ${taintList(first.tolerate)}`;
  return {
    code: first.code,
    object: null,
    summary: effects === "" ? blocked : `${effects}: ${blocked}`,
    advice: `Add ${first.tolerate.map(tolerationLine).join(" ")} to the tolerations of the DaemonSets ${listNames(names, 12)}, each in its own source, or exclude these nodes on purpose.`,
    fixIn: symptoms.flatMap(fixIn),
  };
}

function effectsOf(graph: Graph, root: number): readonly Symptom[] {
  return [...reachOf(graph, root)].filter((index) => index !== root).flatMap((index) => graph.symptoms[index] ?? []);
}
