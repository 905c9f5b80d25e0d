// The scheduler's sentence in the wording of its version, and read back from events of every version.
import { describe, expect, test } from "vitest";
import type { Resources } from "../../server/src/kube/resources.ts";
import { readSchedulerSentence } from "../../server/src/scheduling/read-sentence.ts";
import { schedulerAnswer } from "../../server/src/scheduling/scheduler-sentence.ts";
import { podSpec } from "./oracle-objects.ts";

const TAINT = { key: "dedicated", value: "rdma", effect: "NoSchedule" as const, timeAdded: null };

function node(name: string, more: { tainted?: boolean; cordoned?: boolean; allocatable?: Resources } = {}) {
  return {
    node: {
      name,
      labels: {},
      taints: more.tainted ? [TAINT] : [],
      unschedulable: more.cordoned ?? false,
      allocatable: more.allocatable ?? null,
    },
  };
}

const SIX = [
  node("a", { tainted: true }),
  node("b", { tainted: true }),
  node("c", { cordoned: true }),
  node("d", { allocatable: { cpu: 1000, "rdma/hca": 0 } }),
  node("e", { allocatable: { cpu: 8000 } }),
  node("f", { allocatable: { cpu: 8000, "rdma/hca": 0 } }),
];
const POD = podSpec({ requests: { cpu: 2000, "rdma/hca": 1 } });

function sentence(minorVersion: number): string | null {
  return schedulerAnswer(POD, SIX, { comparisonOperators: false, minorVersion }, true).sentence;
}

describe("written", () => {
  test.each([
    [
      37,
      "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s), 3 Insufficient rdma/hca. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
    ],
    [
      36,
      "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s), 3 Insufficient rdma/hca. no new claims to deallocate, preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
    ],
    [
      30,
      "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had untolerated taint {dedicated: rdma}, 3 Insufficient rdma/hca. preemption: 0/6 nodes are available: 3 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.",
    ],
    [
      26,
      "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had untolerated taint {dedicated: rdma}, 3 Insufficient rdma/hca. preemption: 0/6 nodes are available: 3 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling..",
    ],
    [
      22,
      "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had taint {dedicated: rdma}, that the pod didn't tolerate, 3 Insufficient rdma/hca. preemption: 0/6 nodes are available: 3 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling..",
    ],
  ])("as 1.%i writes it", (minorVersion, expected) => {
    expect(sentence(minorVersion)).toBe(expected);
  });

  test("what other pods hold counts when it is given, and room could be made there", () => {
    const full = {
      ...node("a", { allocatable: { cpu: 4000, pods: 110 } }),
      used: { requests: { cpu: 3000 }, pods: 12 },
    };
    const crowded = { ...node("b", { allocatable: { cpu: 4000, pods: 10 } }), used: { requests: {}, pods: 10 } };
    const spec = podSpec({ requests: { cpu: 2000 } });
    const options = { comparisonOperators: false, minorVersion: 37 };
    expect(schedulerAnswer(spec, [full, crowded], options, true).sentence).toBe(
      "0/2 nodes are available: 1 Insufficient cpu, 1 Too many pods. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
    );
  });

  test("nothing where a node is feasible: one without status is never short", () => {
    const answer = schedulerAnswer(POD, [...SIX, node("g")], { comparisonOperators: false, minorVersion: 37 });
    expect(answer.sentence).toBeNull();
    expect(answer.feasible).toEqual(["g"]);
  });
});

describe("read", () => {
  test("what it writes, it reads", () => {
    for (const minorVersion of [22, 26, 30, 36, 37]) {
      const read = readSchedulerSentence(sentence(minorVersion) ?? "");
      expect(read?.total).toBe(6);
      expect(read?.reasons.map(({ nodes, kind, resource }) => [nodes, kind, resource])).toEqual([
        [1, "resource", "cpu"],
        [1, "unschedulable", null],
        [2, "taint", null],
        [3, "resource", "rdma/hca"],
      ]);
      expect(read?.preemption).toContain("Preemption is not helpful for scheduling");
      const taint = minorVersion >= 35 ? null : { key: "dedicated", value: "rdma" };
      expect(read?.reasons[2]?.taint).toEqual(taint);
    }
  });

  test("a taint without value, in every wording that names it", () => {
    for (const reason of [
      "1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }",
      "1 node(s) had taint {node-role.kubernetes.io/control-plane: }, that the pod didn't tolerate",
    ]) {
      const read = readSchedulerSentence(`0/1 nodes are available: ${reason}.`);
      expect(read?.reasons[0]?.taint).toEqual({ key: "node-role.kubernetes.io/control-plane", value: "" });
    }
    expect(
      readSchedulerSentence("0/1 nodes are available: 1 node(s) had taints that the pod didn't tolerate.")?.reasons,
    ).toEqual([
      { nodes: 1, text: "node(s) had taints that the pod didn't tolerate", kind: "taint", taint: null, resource: null },
    ]);
  });

  test.each([
    ["3 node(s) didn't match Pod's node affinity/selector", "affinity"],
    ["3 node(s) didn't match pod anti-affinity rules", "pod-affinity"],
    ["3 node(s) didn't match pod topology spread constraints", "topology-spread"],
    ["3 node(s) had volume node affinity conflict", "volume"],
    ["1 pod has unbound immediate PersistentVolumeClaims", "volume"],
    ["2 cannot allocate all claims", "claim"],
    ["2 node(s) didn't have free ports for the requested pod ports", "ports"],
    ["4 Too many pods", "pods"],
  ])("%s is about %s", (reason, kind) => {
    expect(readSchedulerSentence(`0/4 nodes are available: ${reason}.`)?.reasons[0]?.kind).toBe(kind);
  });

  test("a reason for the pod as a whole has no count", () => {
    const read = readSchedulerSentence(
      "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: not eligible due to preemptionPolicy=Never.",
    );
    expect(read?.reasons).toMatchObject([{ nodes: null, kind: "volume" }]);
    expect(read?.preemption).toBe("preemption: not eligible due to preemptionPolicy=Never");
  });

  test("another message is none", () => {
    expect(readSchedulerSentence("Successfully assigned ml/train to node-1")).toBeNull();
  });
});
