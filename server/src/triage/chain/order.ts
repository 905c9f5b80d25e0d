// Triage layer, chain: the order in which findings are told: cause first, symptom last, one chain after the other.
import type { FindingCode } from "../../../../shared/src/codes.ts";
import { SEVERITIES } from "../../../../shared/src/severity.ts";
import { type Graph, reachOf, rootsOf } from "./graph.ts";

/** From the node itself over platform pods and what they make to the pods of people; what was done on purpose last. */
const RANK: readonly FindingCode[] = [
  "node-unknown",
  "node-not-ready",
  "node-flapping",
  "node-condition",
  "node-warning",
  "node-clock-skew",
  "image-pull-failing",
  "pods-evicted",
  "platform-pod-missing",
  "platform-pod-not-ready",
  "extended-resource-gone",
  "extended-resource-degraded",
  "extended-resource-overcommitted",
  "csi-driver-missing",
  "node-not-initialized",
  "taint-left-behind",
  "pod-rejected",
  "pod-stuck-creating",
  "pod-pending",
  "pod-stuck-terminating",
  "platform-pod-time-bomb",
  "node-version-skew",
  "node-unschedulable",
];

/** The indexes of the graph's symptoms in the order they are told: chains with an error first. */
export function tellingOrder(graph: Graph): readonly number[] {
  const { symptoms, causes } = graph;
  const rank = (index: number) => {
    const symptom = symptoms[index];
    return symptom === undefined ? RANK.length : RANK.indexOf(symptom.code);
  };
  const gravity = (index: number) =>
    Math.min(...[...reachOf(graph, index)].map((at) => SEVERITIES.indexOf(symptoms[at]?.severity ?? "hint")));
  const roots = [...rootsOf(graph)].sort((a, b) => gravity(a) - gravity(b) || rank(a) - rank(b) || a - b);
  const told = new Set<number>();
  const ready = (index: number) => (causes[index] ?? []).every((cause) => told.has(cause));
  for (const root of roots) {
    // Roots of one code are told as one finding, so their chains are told together.
    const together = roots.filter((other) => rank(other) === rank(root));
    for (const index of together) told.add(index);
    const reach = [...new Set(together.flatMap((index) => [...reachOf(graph, index)]))];
    reach.sort((a, b) => rank(a) - rank(b) || a - b);
    let next = reach.find((index) => !told.has(index) && ready(index));
    while (next !== undefined) {
      told.add(next);
      next = reach.find((index) => !told.has(index) && ready(index));
    }
  }
  return [...told];
}
