// Triage layer, chain: the roots of a node's findings, across nodes where the cause lies on another one.
import type { FindingCode } from "../../../../shared/src/codes.ts";
import type { ObjectRef } from "../../kube/workload.ts";
import type { Root } from "../finding.ts";
import type { Symptom } from "../symptom.ts";
import { listNames } from "../wording/list.ts";
import { type Graph, reachOf } from "./graph.ts";

/** Codes of another node that explain a volume it does not give back. */
const HOLDING: readonly FindingCode[] = ["node-unknown", "node-not-ready", "pod-stuck-terminating"];

/** The symptom on another node that holds what this one waits for; null when that node is healthy. */
export function causeElsewhere(symptom: Symptom, symptoms: ReadonlyMap<string, readonly Symptom[]>): Symptom | null {
  for (const node of symptom.about.elsewhere) {
    const there = symptoms.get(node) ?? [];
    for (const code of HOLDING) {
      const found = there.find(
        (other) =>
          other.code === code &&
          (code !== "pod-stuck-terminating" || other.about.pods.some((pod) => symptom.about.pods.includes(pod))),
      );
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** The root that a symptom without causes of its own stands for. */
export function rootOf(graph: Graph, index: number, elsewhere: (symptom: Symptom) => readonly Root[]): readonly Root[] {
  const symptom = graph.symptoms[index];
  if (symptom === undefined) return [];
  if (symptom.outside !== null) {
    return [
      {
        code: "outside",
        object: symptom.outside.object,
        summary: symptom.outside.summary,
        advice: symptom.outside.advice,
        fixIn: [],
      },
    ];
  }
  const far = elsewhere(symptom);
  if (far.length > 0) return far;
  return [
    {
      code: symptom.code,
      object: symptom.rootObject,
      summary: inWords(graph, index, symptom),
      advice: symptom.advice,
      fixIn: fixIn(symptom),
    },
  ];
}

/** The DaemonSet that is to tolerate the taint, where that is the remedy. */
export function fixIn({ tolerate, about: { daemonSet } }: Symptom): readonly ObjectRef[] {
  const slash = daemonSet.indexOf("/");
  if (tolerate.length === 0 || slash < 0) return [];
  return [{ kind: "DaemonSet", namespace: daemonSet.slice(0, slash), name: daemonSet.slice(slash + 1) }];
}

/** What people miss first of all that the root brings about, then the root: "rdma/hca gone: plugin blocked by …". */
function inWords(graph: Graph, index: number, symptom: Symptom): string {
  const reached = [...reachOf(graph, index)].filter((at) => at !== index).flatMap((at) => graph.symptoms[at] ?? []);
  const told = effectsInWords(new Set(reached), 1);
  return told === "" ? symptom.summary : `${told}: ${symptom.summary}`;
}

/** The most telling effects, at most `limit` of them; empty where none is told. */
export function effectsInWords(effects: ReadonlySet<Symptom>, limit = 2): string {
  const told = VISIBLE.flatMap((code) => [...effects].filter((effect) => effect.code === code));
  return listNames([...new Set(told.slice(0, limit).map((effect) => effect.summary))]);
}

/** What is named before its cause, the most telling first. */
const VISIBLE: readonly FindingCode[] = [
  "node-not-ready",
  "extended-resource-gone",
  "csi-driver-missing",
  "platform-pod-missing",
  "platform-pod-not-ready",
  "pods-evicted",
  "pod-stuck-creating",
];

/** Roots of one code and object are one root; what they say is joined. */
export function mergeRoots(roots: readonly Root[]): readonly Root[] {
  const merged = new Map<string, Root>();
  for (const root of roots) {
    const { object } = root;
    const key = `${root.code}|${object?.kind ?? ""}|${object?.namespace ?? ""}|${object?.name ?? ""}`;
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, root);
      continue;
    }
    const join = (a: string, b: string, by: string) => (b === "" || a.includes(b) ? a : `${a}${by}${b}`);
    merged.set(key, {
      ...known,
      summary: join(known.summary, root.summary, "; "),
      advice: join(known.advice, root.advice, " "),
      fixIn: [...known.fixIn, ...root.fixIn],
    });
  }
  return [...merged.values()];
}
