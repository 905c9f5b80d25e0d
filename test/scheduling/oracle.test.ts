// The scheduling rules against upstream's answers (test/oracle): no difference is allowed.
import { describe, expect, test } from "vitest";
import { decodePodSpec } from "../../server/src/kube/decode/pod-spec.ts";
import { decodeResources } from "../../server/src/kube/decode/resources.ts";
import type { Taint } from "../../server/src/kube/taint.ts";
import { evictionOf } from "../../server/src/scheduling/eviction.ts";
import { templateTolerations } from "../../server/src/scheduling/implied-tolerations.ts";
import { type PlaceableNode, place } from "../../server/src/scheduling/place.ts";
import { shortResources } from "../../server/src/scheduling/resource-fit.ts";
import { schedulerAnswer } from "../../server/src/scheduling/scheduler-sentence.ts";
import { validateTolerations } from "../../server/src/scheduling/validate-tolerations.ts";
import { DEFAULT_SCHEDULING, type SchedulingOptions } from "../../server/src/scheduling/verdict.ts";
import { readVectors } from "../oracle/vectors.ts";
import { toNode, toPodSpec, toTaint, toToleration } from "./oracle-objects.ts";

function modelled(comparisonGate: boolean | undefined): SchedulingOptions {
  return { ...DEFAULT_SCHEDULING, comparisonOperators: comparisonGate ?? false };
}

describe("the oracle", () => {
  test("every placement: the verdict for a DaemonSet and for another workload, and the untolerated taints", () => {
    const { vectors } = readVectors("placements");
    const nodes = vectors.nodes.map(toNode);
    const specs = vectors.workloads.map(toPodSpec);
    const differences: string[] = [];
    for (const row of vectors.rows) {
      const template = specs[row.workload]!;
      const options = modelled(row.comparisonGate);
      row.nodes.forEach((nodeIndex, position) => {
        const node = nodes[nodeIndex]!;
        const daemonSet = place({ kind: "DaemonSet", template }, node, options);
        const other = place({ kind: "Deployment", template }, node, options);
        const ours = [
          daemonSet.verdict[0],
          bits(node, daemonSet.untolerated),
          other.verdict[0],
          bits(node, other.untolerated),
        ].join(" ");
        const theirs = [
          row.daemonSet[position],
          row.daemonUntolerated[position],
          row.other[position],
          row.otherUntolerated[position],
        ].join(" ");
        if (ours !== theirs) differences.push(`workload ${row.workload} on ${node.name}: ${ours}, upstream ${theirs}`);
      });
    }
    expect(differences).toEqual([]);
  });

  test("every eviction: at once, after so many seconds, or never", () => {
    const { vectors } = readVectors("evictions");
    for (const question of vectors.cases) {
      const tolerations = templateTolerations({ tolerations: (question.tolerations ?? []).map(toToleration) });
      const eviction = evictionOf(tolerations, question.taints.map(toTaint), modelled(question.comparisonGate));
      expect(eviction?.afterSeconds ?? null, JSON.stringify(question)).toBe(question.seconds);
    }
  });

  test("every toleration list: the API server's complaints, word for word", () => {
    const { vectors } = readVectors("tolerations");
    for (const question of vectors.cases) {
      const tolerations = question.tolerations.map(toToleration);
      const errors = validateTolerations(tolerations, "spec.tolerations", modelled(question.comparisonGate));
      const ours = errors.map((error) => [error.field, error.message]);
      expect(ours, JSON.stringify(question.tolerations)).toEqual(question.errors);
    }
  });

  test("every resource fit: what the empty node is short of", () => {
    const { vectors } = readVectors("fits");
    for (const question of vectors.cases) {
      const { requests } = decodePodSpec(question.spec);
      const short = shortResources(requests, decodeResources(question.allocatable));
      expect(
        short.map(({ resource }) => resource),
        JSON.stringify(question),
      ).toEqual(question.insufficient);
    }
  });

  test("every sentence of a scheduler that found no node", () => {
    const { vectors } = readVectors("sentences");
    const nodes = vectors.nodes.map((node) => ({ ...toNode(node), allocatable: decodeResources(node.allocatable) }));
    for (const question of vectors.cases) {
      const { requests } = decodePodSpec(question.spec);
      const spec = { ...toPodSpec(question.spec), requests };
      const weighed = question.nodes.map((index) => ({ node: nodes[index]! }));
      expect(schedulerAnswer(spec, weighed, DEFAULT_SCHEDULING).sentence, JSON.stringify(question)).toBe(
        question.sentence,
      );
    }
  });
});

function bits(node: PlaceableNode, untolerated: readonly Taint[]): number {
  return node.taints.reduce((set, taint, index) => (untolerated.includes(taint) ? set | (1 << index) : set), 0);
}
