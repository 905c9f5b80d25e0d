// The words of a placement: which toleration matched, or the closest one and what differs; which label, which amount.
import { describe, expect, test } from "vitest";
import type { Resources } from "../../server/src/kube/resources.ts";
import type { Taint, TaintEffect } from "../../server/src/kube/taint.ts";
import type { Toleration } from "../../server/src/kube/toleration.ts";
import { place } from "../../server/src/scheduling/place.ts";
import { placementReason } from "../../server/src/scheduling/reason.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { podSpec } from "./oracle-objects.ts";

function taint(text: string): Taint {
  const [, key = "", value = "", effect = ""] = /^([^=:]+)=?([^:]*):(\w+)$/.exec(text) ?? [];
  return { key, value, effect: effect as TaintEffect, timeAdded: null };
}

function node(taints: readonly string[], labels: Record<string, string> = {}, allocatable: Resources | null = null) {
  return { name: "n1", labels, taints: taints.map(taint), unschedulable: false, allocatable };
}

function toleration(parts: Partial<Toleration>): Toleration {
  return { key: "", operator: "", value: "", effect: "", tolerationSeconds: null, ...parts };
}

function reasonFor(tolerations: readonly Partial<Toleration>[], ...taints: readonly string[]): string {
  const template = podSpec({ tolerations: tolerations.map((one) => toleration(one)) });
  return placementReason(place({ kind: "DaemonSet", template }, node(taints), DEFAULT_SCHEDULING));
}

describe("taints", () => {
  test.each<[string, readonly Partial<Toleration>[], string, string]>([
    [
      "the toleration that matches",
      [{ key: "dedicated", operator: "Exists" }],
      "dedicated=rdma:NoSchedule",
      "dedicated=rdma:NoSchedule is tolerated by dedicated Exists",
    ],
    [
      "the controller's own toleration",
      [],
      "node.kubernetes.io/disk-pressure:NoSchedule",
      "node.kubernetes.io/disk-pressure:NoSchedule is tolerated by node.kubernetes.io/disk-pressure:NoSchedule Exists (added to every DaemonSet pod)",
    ],
    [
      "another value",
      [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
      "dedicated=rdma:NoSchedule",
      "dedicated=rdma:NoSchedule is not tolerated; closest is dedicated=gpu:NoSchedule: its value is gpu, the taint's is rdma",
    ],
    [
      "another effect",
      [{ key: "dedicated", operator: "Exists", effect: "NoExecute" }],
      "dedicated=rdma:NoSchedule",
      "dedicated=rdma:NoSchedule is not tolerated; closest is dedicated:NoExecute Exists: its effect is NoExecute, the taint's is NoSchedule",
    ],
    [
      "the wrong domain",
      [{ key: "node.kubernetes.io/control-plane", operator: "Exists" }],
      "node-role.kubernetes.io/control-plane:NoSchedule",
      "node-role.kubernetes.io/control-plane:NoSchedule is not tolerated; closest is node.kubernetes.io/control-plane Exists: its key is node.kubernetes.io/control-plane, the taint's is node-role.kubernetes.io/control-plane",
    ],
    [
      "a misspelled key",
      [{ key: "dedicatde", value: "rdma", effect: "NoSchedule" }],
      "dedicated=rdma:NoSchedule",
      "dedicated=rdma:NoSchedule is not tolerated; closest is dedicatde=rdma:NoSchedule: its key is dedicatde, the taint's is dedicated",
    ],
    [
      "nothing close",
      [{ key: "spot", operator: "Exists", effect: "NoSchedule" }],
      "dedicated=rdma:NoSchedule",
      "dedicated=rdma:NoSchedule is not tolerated",
    ],
    [
      "a comparison behind the gate",
      [{ key: "sla", operator: "Gt", value: "900" }],
      "sla=950:NoSchedule",
      "sla=950:NoSchedule is not tolerated; closest is sla Gt 900: Gt works only with the feature gate TaintTolerationComparisonOperators",
    ],
    [
      "an operator that does not exist",
      [{ key: "sla", operator: "exists" }],
      "sla=950:NoSchedule",
      "sla=950:NoSchedule is not tolerated; closest is sla exists: operator exists matches nothing",
    ],
  ])("%s", (_, tolerations, on, expected) => {
    expect(reasonFor(tolerations, on)).toBe(expected);
  });

  test("with the gate on, the comparison itself", () => {
    const template = podSpec({ tolerations: [toleration({ key: "sla", operator: "Lt", value: "900" })] });
    const options = { ...DEFAULT_SCHEDULING, comparisonOperators: true };
    const reason = (on: string) => placementReason(place({ kind: "Pod", template }, node([on]), options));
    expect(reason("sla=850:NoSchedule")).toBe("sla=850:NoSchedule is tolerated by sla Lt 900");
    expect(reason("sla=900:NoSchedule")).toBe(
      "sla=900:NoSchedule is not tolerated; closest is sla Lt 900: 900 is not less than 900",
    );
    expect(reason("sla=0850:NoSchedule")).toBe(
      "sla=0850:NoSchedule is not tolerated; closest is sla Lt 900: Lt compares whole numbers, not 900 and 0850",
    );
  });

  test("of several tolerations the one that differs least", () => {
    const tolerations = [
      { key: "dedicated", value: "gpu", effect: "NoExecute" },
      { key: "dedicated", value: "gpu", effect: "NoSchedule" },
    ];
    expect(reasonFor(tolerations, "dedicated=rdma:NoSchedule")).toContain("closest is dedicated=gpu:NoSchedule:");
  });
});

describe("selectors", () => {
  const expression = (key: string, operator: string, ...values: readonly string[]) => ({
    matchExpressions: [{ key, operator, values }],
    matchFields: [],
  });

  test("a label with another value, and one that is absent", () => {
    const template = podSpec({ nodeSelector: { pool: "rdma", zone: "a" } });
    const placement = place({ kind: "Deployment", template }, node([], { pool: "gpu" }), DEFAULT_SCHEDULING);
    expect(placementReason(placement)).toBe(
      "label pool is gpu, nodeSelector wants rdma; label zone is absent, nodeSelector wants a",
    );
  });

  test("of the affinity's terms the one that comes closest", () => {
    const near = {
      matchExpressions: [
        { key: "pool", operator: "In", values: ["gpu"] },
        { key: "generation", operator: "Gt", values: ["3"] },
      ],
      matchFields: [],
    };
    const far = {
      matchExpressions: [...near.matchExpressions, expression("os", "Exists").matchExpressions[0]!],
      matchFields: [],
    };
    const template = podSpec({ requiredAffinity: { terms: [far, near] } });
    const placement = place(
      { kind: "Deployment", template },
      node([], { pool: "gpu", generation: "2" }),
      DEFAULT_SCHEDULING,
    );
    expect(placementReason(placement)).toBe("label generation is 2, affinity wants more than 3");
  });

  test("a requirement that cannot be read spoils its term, and says why", () => {
    const broken = [
      ["pool", "in", "gpu", 'affinity on pool matches no node: operator "in" is not known'],
      ["generation", "Gt", "3.5", "affinity on generation matches no node: Gt needs a whole number"],
    ] as const;
    for (const [key, operator, value, reason] of broken) {
      const template = podSpec({ requiredAffinity: { terms: [expression(key, operator, value)] } });
      const on = node([], { pool: "gpu", generation: "9" });
      expect(placementReason(place({ kind: "Deployment", template }, on, DEFAULT_SCHEDULING))).toBe(reason);
    }
  });

  test("no term, or only empty ones, admit no node", () => {
    for (const terms of [[], [{ matchExpressions: [], matchFields: [] }]]) {
      const template = podSpec({ requiredAffinity: { terms } });
      const placement = place({ kind: "Deployment", template }, node([]), DEFAULT_SCHEDULING);
      expect(placementReason(placement)).toBe("the required node affinity has no term that can match");
    }
  });
});

test("amounts in the units people write", () => {
  const template = podSpec({ requests: { cpu: 2500, memory: 8 * 2 ** 30, "rdma/hca": 2, "nvidia.com/gpu": 1 } });
  const allocatable = { cpu: 2000, memory: 2 ** 31, "rdma/hca": 1 };
  const placement = place({ kind: "Deployment", template }, node([], {}, allocatable), DEFAULT_SCHEDULING);
  expect(placementReason(placement)).toBe(
    [
      "2500m cpu requested, the node can give 2",
      "8Gi memory requested, the node can give 2Gi",
      "1 nvidia.com/gpu requested, the node does not offer it",
      "2 rdma/hca requested, the node can give 1",
    ].join("; "),
  );
});

describe("who skips the scheduler", () => {
  const taints = ["dedicated=rdma:NoSchedule", "maintenance:NoExecute"];

  test("a pod with nodeName meets only NoExecute, a static pod not even that", () => {
    const template = podSpec({ nodeName: "n1" });
    const pinned = place({ kind: "Pod", template }, node(taints), DEFAULT_SCHEDULING);
    expect(pinned.untolerated.map((one) => one.key)).toEqual(["maintenance"]);
    const mirror = place({ kind: "Pod", template, staticPod: true }, node(taints), DEFAULT_SCHEDULING);
    expect(mirror.verdict).toBe("fits");
  });

  test("a cordon without its taint keeps pods off, and not DaemonSets", () => {
    const cordoned = { ...node([]), unschedulable: true };
    const template = podSpec({});
    const pod = place({ kind: "Deployment", template }, cordoned, DEFAULT_SCHEDULING);
    expect(pod.untolerated.map((one) => one.key)).toEqual(["node.kubernetes.io/unschedulable"]);
    expect(place({ kind: "DaemonSet", template }, cordoned, DEFAULT_SCHEDULING).verdict).toBe("run");
  });
});
