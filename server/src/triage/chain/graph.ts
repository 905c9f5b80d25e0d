// Triage layer, chain: the causes among the symptoms of one node.
import type { FindingCode } from "../../../../shared/src/codes.ts";
import type { Symptom } from "../symptom.ts";
import { LINKS } from "./links.ts";

export interface Graph {
  readonly symptoms: readonly Symptom[];
  /** Direct causes by index into `symptoms`; never a circle. */
  readonly causes: readonly (readonly number[])[];
}

/**
 * Links the symptoms of one node by the table, in its order. A link that would close a circle is left out (the rule that
 * found the circle names it), and so is one that a longer chain says already.
 */
export function linkSymptoms(symptoms: readonly Symptom[]): Graph {
  const causes = symptoms.map(() => new Set<number>());
  const reaches = (from: number, to: number): boolean =>
    from === to || [...(causes[to] ?? [])].some((cause) => reaches(from, cause));
  const byCode = new Map<FindingCode, number[]>();
  symptoms.forEach(({ code }, index) => {
    const group = byCode.get(code);
    if (group === undefined) byCode.set(code, [index]);
    else group.push(index);
  });
  const having = (codes: readonly FindingCode[]) => codes.flatMap((code) => byCode.get(code) ?? []);
  for (const link of LINKS) {
    const sources = having(link.causes);
    if (sources.length === 0) continue;
    for (const to of having(link.effects)) {
      for (const from of sources) {
        const [cause, effect] = [symptoms[from], symptoms[to]];
        if (from === to || cause === undefined || effect === undefined || !link.when(cause, effect)) continue;
        if (!reaches(to, from)) causes[to]?.add(from);
      }
    }
  }
  return {
    symptoms,
    causes: causes.map((direct) =>
      [...direct].filter((cause) => ![...direct].some((other) => other !== cause && reaches(cause, other))),
    ),
  };
}

/** Indexes of the symptoms that nothing on the node causes. */
export function rootsOf(graph: Graph): readonly number[] {
  return graph.symptoms.flatMap((_symptom, index) => ((graph.causes[index] ?? []).length === 0 ? [index] : []));
}

/** Everything that a symptom causes, directly or not, itself included. */
export function reachOf(graph: Graph, root: number): ReadonlySet<number> {
  const reached = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    graph.causes.forEach((direct, index) => {
      if (!reached.has(index) && direct.some((cause) => reached.has(cause))) {
        reached.add(index);
        grown = true;
      }
    });
  }
  return reached;
}
