// What must hold for every input: reasons agree with verdicts, and nothing throws.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NodeSelectorTerm } from "../../server/src/kube/node-selector.ts";
import { evictionOf } from "../../server/src/scheduling/eviction.ts";
import { templateTolerations } from "../../server/src/scheduling/implied-tolerations.ts";
import { covers } from "../../server/src/scheduling/merge-tolerations.ts";
import { admits, compileSelection, selectorMismatches } from "../../server/src/scheduling/node-affinity.ts";
import { place } from "../../server/src/scheduling/place.ts";
import { readSchedulerSentence } from "../../server/src/scheduling/read-sentence.ts";
import { placementReason } from "../../server/src/scheduling/reason.ts";
import { differences, tolerates } from "../../server/src/scheduling/tolerates.ts";
import { validateTolerations } from "../../server/src/scheduling/validate-tolerations.ts";
import { podSpec } from "./oracle-objects.ts";

const word = fc.oneof(fc.constantFrom("", "a", "b", "dedicated", "5", "-3", "007", "x y"), fc.string({ maxLength: 8 }));
const effect = fc.constantFrom("NoSchedule" as const, "NoExecute" as const, "PreferNoSchedule" as const);
const taint = fc.record({ key: word, value: word, effect, timeAdded: fc.constant(null) });
const toleration = fc.record({
  key: word,
  operator: fc.oneof(fc.constantFrom("", "Equal", "Exists", "Lt", "Gt", "In"), fc.string({ maxLength: 4 })),
  value: word,
  effect: fc.oneof(fc.constant(""), effect, fc.string({ maxLength: 4 })),
  tolerationSeconds: fc.option(fc.integer()),
});
const options = fc.record({ comparisonOperators: fc.boolean(), minorVersion: fc.integer({ min: 18, max: 40 }) });
const requirement = fc.record({
  key: fc.oneof(word, fc.constant("metadata.name")),
  operator: fc.oneof(fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"), fc.string({ maxLength: 4 })),
  values: fc.array(word, { maxLength: 3 }),
});
const term: fc.Arbitrary<NodeSelectorTerm> = fc.record({
  matchExpressions: fc.array(requirement, { maxLength: 3 }),
  matchFields: fc.array(requirement, { maxLength: 2 }),
});
const node = fc.record({
  name: fc.constantFrom("n1", "a"),
  labels: fc.dictionary(word, word, { maxKeys: 4 }),
  taints: fc.array(taint, { maxLength: 4 }),
  unschedulable: fc.boolean(),
  allocatable: fc.option(fc.dictionary(fc.constantFrom("cpu", "memory", "rdma/hca", "pods"), fc.nat(10))),
});
const spec = fc
  .record({
    nodeName: fc.constantFrom("", "", "n1", "n2"),
    nodeSelector: fc.dictionary(word, word, { maxKeys: 2 }),
    requiredAffinity: fc.option(fc.record({ terms: fc.array(term, { maxLength: 3 }) })),
    tolerations: fc.array(toleration, { maxLength: 4 }),
    hostNetwork: fc.boolean(),
    requests: fc.dictionary(fc.constantFrom("cpu", "memory", "rdma/hca"), fc.nat(10)),
  })
  .map(podSpec);

describe("reasons agree with verdicts", () => {
  test("a toleration matches where it differs in nothing", () => {
    fc.assert(
      fc.property(toleration, taint, options, (one, on, gate) => {
        expect(differences(one, on, gate).length === 0).toBe(tolerates(one, on, gate));
      }),
    );
  });

  test("a node is admitted where no selector mismatches", () => {
    fc.assert(
      fc.property(spec, node, (wanted, on) => {
        const selection = compileSelection(wanted);
        expect(selectorMismatches(selection, on).length === 0).toBe(admits(selection, on));
      }),
    );
  });

  test("a placement's verdict follows from what it lists, and has words", () => {
    fc.assert(
      fc.property(
        spec,
        node,
        options,
        fc.constantFrom("DaemonSet", "Deployment", "Pod"),
        (template, on, gate, kind) => {
          const placement = place({ kind, template }, on, gate);
          const { verdict, untolerated, mismatches, short } = placement;
          expect(verdict === "affinity").toBe(mismatches.length > 0);
          if (kind === "DaemonSet" && verdict !== "affinity") expect(verdict === "run").toBe(untolerated.length === 0);
          if (verdict === "fits") expect([untolerated, short]).toEqual([[], []]);
          expect(placementReason(placement)).not.toBe("");
        },
      ),
    );
  });

  test("a toleration that covers another tolerates all that the other does", () => {
    // As the API server accepts them: upstream's covering asks no more of them than that.
    const accepted = fc
      .record({
        key: fc.constantFrom("", "a", "b"),
        operator: fc.constantFrom("Equal", "Exists"),
        value: fc.constantFrom("", "1", "2"),
        effect: fc.constantFrom("", "NoSchedule", "NoExecute"),
        tolerationSeconds: fc.constantFrom(null, 10, 20),
      })
      .map((one) => (one.operator === "Exists" ? { ...one, value: "" } : { ...one, key: one.key || "a" }))
      .map((one) => (one.effect === "NoExecute" ? one : { ...one, tolerationSeconds: null }));
    const met = fc.record({
      key: fc.constantFrom("a", "b"),
      value: fc.constantFrom("", "1", "2"),
      effect,
      timeAdded: fc.constant(null),
    });
    fc.assert(
      fc.property(accepted, accepted, met, options, (wide, narrow, on, gate) => {
        if (covers(wide, narrow) && tolerates(narrow, on, gate)) expect(tolerates(wide, on, gate)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("only NoExecute evicts, and never before now", () => {
    fc.assert(
      fc.property(
        fc.array(toleration, { maxLength: 4 }),
        fc.array(taint, { maxLength: 4 }),
        options,
        (list, on, gate) => {
          const eviction = evictionOf(templateTolerations({ tolerations: list }), on, gate);
          if (eviction === null) return;
          expect(eviction.taint.effect).toBe("NoExecute");
          expect(eviction.afterSeconds).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe("nothing throws", () => {
  test("on tolerations and messages of any kind", () => {
    fc.assert(
      fc.property(fc.array(toleration), fc.string(), options, (list, message, gate) => {
        validateTolerations(list, "spec.tolerations", gate);
        readSchedulerSentence(message);
        readSchedulerSentence(`0/3 nodes are available: ${message}`);
      }),
    );
  });
});
