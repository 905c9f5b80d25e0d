// Coverage by class against placement node by node, on generated clusters; and an index that follows changes against a
// fresh one.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { applyTaint } from "../../server/src/cluster/taint-change.ts";
import { coverage, indexCoverage } from "../../server/src/coverage/coverage-index.ts";
import type { WorkloadCoverage } from "../../server/src/coverage/workload-coverage.ts";
import type { Workload } from "../../server/src/kube/workload.ts";
import { place } from "../../server/src/scheduling/place.ts";
import type { Placement, Verdict } from "../../server/src/scheduling/verdict.ts";
import { generateCluster, modelOf } from "../bench/cluster-generator.ts";

const OPTIONS = { scheduling: { comparisonOperators: true, minorVersion: 37 }, pools: [] };

/** Small clusters of every shape; the label with very many values (the hostname) is among them. */
const clusters = fc
  .record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    nodes: fc.integer({ min: 1, max: 90 }),
    daemonSets: fc.integer({ min: 1, max: 12 }),
    taintSets: fc.integer({ min: 1, max: 12 }),
    selectorKeys: fc.integer({ min: 1, max: 6 }),
  })
  .map((size) => modelOf(generateCluster(size)));

/** The same pods under a Deployment, asking for devices that some nodes lack. */
function asDeployment(daemonSet: Workload): Workload {
  const requests = { ...daemonSet.template.requests, "rdma/hca": 2 };
  return { ...daemonSet, kind: "Deployment", template: { ...daemonSet.template, requests } };
}

function workloadsOf(model: ClusterModel): readonly Workload[] {
  return model.workloads.flatMap((workload) => [workload, asDeployment(workload)]);
}

/** What is alike for all nodes of a class. */
function essence(placement: Placement) {
  const { verdict, taints, untolerated, short } = placement;
  const wanted = placement.mismatches.map(({ where, key, operator, wanted: values }) => [where, key, operator, values]);
  return { verdict, taints: taints.map((answer) => ({ ...answer })), untolerated, short, wanted };
}

describe("coverage by class equals coverage by node", () => {
  test("every node stands in one class, which has its verdict, taints and shortages", () => {
    fc.assert(
      fc.property(clusters, (model) => {
        const index = indexCoverage(model, OPTIONS);
        for (const workload of workloadsOf(model)) {
          const { classes } = index.coverage(workload);
          const seen = classes.flatMap((one) => one.nodes);
          expect([...seen].sort()).toEqual([...model.nodes.keys()].sort());
          for (const one of classes) {
            for (const name of one.nodes) {
              const placement = place(workload, model.nodes.get(name)!, OPTIONS.scheduling);
              expect(one.verdict).toBe(placement.verdict);
              expect(essence(one.placement)).toEqual(essence(placement));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("counts and gaps are those of the nodes one by one", () => {
    fc.assert(
      fc.property(clusters, (model) => {
        const index = indexCoverage(model, OPTIONS);
        for (const workload of workloadsOf(model)) {
          expect(summary(index.coverage(workload))).toEqual(byNode(workload, model));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("an index that followed changes of taints answers as a fresh one", () => {
    const changes = fc.array(
      fc.record({
        node: fc.nat(),
        key: fc.constantFrom("dedicated", "sla", "bench"),
        value: fc.constantFrom("", "5", "pool-1"),
        effect: fc.constantFrom("NoSchedule" as const, "NoExecute" as const, "PreferNoSchedule" as const),
        remove: fc.boolean(),
        ask: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(clusters, changes, (model, steps) => {
        const first = indexCoverage(model, OPTIONS);
        for (const workload of workloadsOf(model)) first.coverage(workload).gaps;
        let index = first;
        let current = model;
        for (const { node, key, value, effect, remove, ask } of steps) {
          const names = [...current.nodes.keys()];
          const name = names[node % names.length]!;
          current = applyTaint(current, [name], { taint: { key, value, effect }, remove });
          index = index.update(current);
          // Changes may come faster than questions.
          for (const workload of ask ? workloadsOf(current) : []) {
            expect(summary(index.coverage(workload))).toEqual(byNode(workload, current));
          }
        }
        for (const workload of workloadsOf(current)) {
          expect(summary(index.coverage(workload))).toEqual(byNode(workload, current));
        }
        // What was asked before the changes still holds for the model before them.
        for (const workload of workloadsOf(model)) {
          expect(summary(first.coverage(workload))).toEqual(byNode(workload, model));
        }
      }),
      { numRuns: 60 },
    );
  });
});

function summary(covered: WorkloadCoverage) {
  return {
    counts: covered.counts,
    gaps: covered.gaps.flatMap((gap) => gap.nodes.map((name) => `${name} ${gap.verdict}`)).sort(),
  };
}

function byNode(workload: Workload, model: ClusterModel) {
  const counts: Partial<Record<Verdict, number>> = {};
  const gaps: string[] = [];
  for (const node of model.nodes.values()) {
    const { verdict } = place(workload, node, OPTIONS.scheduling);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (verdict === "keep" || verdict === "evict" || verdict === "taint") gaps.push(`${node.name} ${verdict}`);
  }
  return { counts, gaps: gaps.sort() };
}

describe("a declared pool", () => {
  test("counts as a node, and no selector can name it", () => {
    const model = modelOf(generateCluster({ seed: 3, nodes: 1, daemonSets: 1, taintSets: 1, selectorKeys: 1 }));
    const agent = model.workloads[0]!;
    const everywhere: Workload = {
      ...agent,
      template: { ...agent.template, requiredAffinity: null, nodeSelector: {} },
    };
    const taint = { key: "gpu", value: "", effect: "NoSchedule" as const, timeAdded: null };
    const pools = [{ name: "gpu", clusters: [], labels: { gpu: "true" }, taints: [taint], allocatable: null }];
    const strict: Workload = { ...everywhere, template: { ...everywhere.template, tolerations: [] } };
    const { gaps } = coverage(strict, model, { ...OPTIONS, pools });
    const ofPools = gaps.filter((gap) => gap.pools.length > 0);
    expect(ofPools.map((gap) => [gap.verdict, gap.nodes, gap.pools])).toEqual([["keep", [], ["gpu"]]]);
  });
});
