// Triage layer: symptoms folded into one finding per code, in the order they are told.
import type { FindingCode } from "../../../shared/src/codes.ts";
import { atLeast, type Severity } from "../../../shared/src/severity.ts";
import { formatRef } from "../kube/workload.ts";
import type { Graph } from "./chain/graph.ts";
import type { Finding, FindingItem } from "./finding.ts";
import type { Symptom } from "./symptom.ts";
import { listNames } from "./wording/list.ts";

/** How much evidence a finding shows of all its items; each item keeps its own. */
const SHOWN = 6;

/** Folds the symptoms of one node; `order` are indexes into the graph. */
export function foldSymptoms(scope: string, graph: Graph, order: readonly number[]): readonly Finding[] {
  const groups = new Map<FindingCode, number[]>();
  for (const index of order) {
    const symptom = graph.symptoms[index];
    if (symptom === undefined) continue;
    const group = groups.get(symptom.code);
    if (group === undefined) groups.set(symptom.code, [index]);
    else group.push(index);
  }
  const idOf = (code: FindingCode) => `${scope}/${code}`;
  return [...groups].flatMap(([code, indexes]) => {
    const symptoms = indexes.flatMap((index) => graph.symptoms[index] ?? []);
    const causes = new Set(
      indexes.flatMap((index) => graph.causes[index] ?? []).flatMap((cause) => graph.symptoms[cause]?.code ?? []),
    );
    causes.delete(code);
    const finding = foldGroup(idOf(code), code, symptoms, [...causes].map(idOf));
    return finding === null ? [] : [finding];
  });
}

/** One finding of symptoms with one code; null when there are none. */
export function foldGroup(
  id: string,
  code: FindingCode,
  symptoms: readonly Symptom[],
  causedBy: readonly string[],
): Finding | null {
  const [first] = symptoms;
  if (first === undefined) return null;
  const others = symptoms
    .slice(1)
    .map((symptom) => (symptom.object === null ? symptom.summary : formatRef(symptom.object)));
  return {
    id,
    code,
    severity: symptoms.reduce<Severity>(
      (worst, symptom) => (atLeast(symptom.severity, worst) ? symptom.severity : worst),
      first.severity,
    ),
    message: others.length === 0 ? first.message : `${first.message} The same for ${listNames(others)}.`,
    consequence: first.consequence,
    object: first.object,
    evidence: symptoms.flatMap((symptom) => symptom.evidence).slice(0, SHOWN),
    causedBy,
    advice: causedBy.length === 0 ? first.advice : "",
    since: symptoms.reduce<number | null>((since, symptom) => earlier(since, symptom.since), null),
    items: symptoms.map(itemOf),
  };
}

function itemOf(symptom: Symptom): FindingItem {
  const { object, severity, message, consequence, advice, evidence } = symptom;
  return { object, severity, message, consequence, advice, evidence };
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
