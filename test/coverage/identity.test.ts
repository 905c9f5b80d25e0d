// Which live workload a manifest is, where its pods run, and which nodes can host it at all.
import { describe, expect, test } from "vitest";
import { autoscalerSigns } from "../../server/src/coverage/autoscaler.ts";
import { coverage, indexCoverage } from "../../server/src/coverage/coverage-index.ts";
import { createCoverageMemo } from "../../server/src/coverage/coverage-memo.ts";
import { hostingOf, hostOf, statedOs } from "../../server/src/coverage/hosting.ts";
import { indexIdentities, matchLive } from "../../server/src/coverage/identity.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { clusterOf, workloadOf } from "./objects.ts";

const OPTIONS = { scheduling: DEFAULT_SCHEDULING, pools: [] };

function daemonSet(
  name: string,
  namespace: string | null,
  more: { uid?: string; app?: string; spec?: string } = {},
): string {
  const { uid = "", app = name, spec = "{containers: [{name: c, image: i}]}" } = more;
  const metadata = [
    `name: ${name}`,
    ...(namespace === null ? [] : [`namespace: ${namespace}`]),
    ...(uid === "" ? [] : [`uid: ${uid}`]),
  ];
  return `
apiVersion: apps/v1
kind: DaemonSet
metadata: {${metadata.join(", ")}}
spec:
  selector: {matchLabels: {app: ${app}}}
  template:
    metadata: {labels: {app: ${app}}}
    spec: ${spec}
`;
}

function pod(name: string, node: string, controller: string, status = "{phase: Running}", more = ""): string {
  return `---
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: kube-system
  uid: ${name}
  ${more}
  ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: ${controller}, controller: true}]
spec: {nodeName: ${node}, containers: [{name: c, image: i}]}
status: ${status}
`;
}

describe("a manifest is a live workload", () => {
  const cluster = clusterOf(
    [
      daemonSet("agent", "kube-system", { uid: "1" }),
      daemonSet("twin", "a", { uid: "2" }),
      daemonSet("twin", "b", { uid: "3" }),
    ].join("---"),
  );
  const match = (text: string) => {
    const found = matchLive(workloadOf(text), indexIdentities(cluster));
    return found.state === "matched" ? found.workload.uid : found.why;
  };

  test("by kind, namespace and name", () => {
    expect(match(daemonSet("agent", "kube-system"))).toBe("1");
    expect(match(daemonSet("twin", "b"))).toBe("3");
    expect(match(daemonSet("agent", "elsewhere"))).toBe("none");
    expect(match(daemonSet("agent", "kube-system").replaceAll("DaemonSet", "Deployment"))).toBe("not-read");
  });

  test("without namespace by a unique name and an equal selector", () => {
    expect(match(daemonSet("agent", null))).toBe("1");
    expect(match(daemonSet("agent", null, { app: "other" }))).toBe("selector-differs");
    expect(match(daemonSet("twin", null))).toBe("several");
    expect(match(daemonSet("nobody", null))).toBe("none");
  });

  test("never by a generated name", () => {
    expect(match(daemonSet("agent", null).replace("name: agent", "generateName: agent-"))).toBe("no-name");
  });
});

describe("its pods", () => {
  const nodes = ["n1", "n2", "n3", "n4", "n5"].map(
    (name) => `---
apiVersion: v1
kind: Node
metadata: {name: ${name}}
spec: {taints: [{key: dedicated, value: rdma, effect: NoSchedule}]}
`,
  );
  const text = [
    daemonSet("agent", "kube-system", { uid: "1" }),
    ...nodes,
    pod("p1", "n1", "1"),
    pod("p2", "n2", "1", "{phase: Failed}"),
    pod("p3", "n3", "1", "{phase: Running}", "deletionTimestamp: '2026-01-01T00:00:00Z'"),
    pod("p4", "n4", "another-uid"),
  ].join("");

  test("run where they are bound, by controller UID; terminating and failed ones do not run", () => {
    const answer = coverage(workloadOf(daemonSet("agent", "kube-system")), clusterOf(text), OPTIONS);
    expect(["n1", "n2", "n3", "n4", "n5"].map(answer.running)).toEqual([true, false, false, false, false]);
    expect(answer.timeBombs.map((bomb) => bomb.nodes)).toEqual([["n1"]]);
    expect(answer.podsOn("n1").map((one) => one.name)).toEqual(["p1"]);
  });

  test("are unknown without pods, or without a live workload", () => {
    const without = clusterOf([daemonSet("agent", "kube-system", { uid: "1" }), ...nodes].join(""));
    expect(coverage(workloadOf(daemonSet("agent", "kube-system")), without, OPTIONS).running("n1")).toBeNull();
    const stranger = coverage(workloadOf(daemonSet("stranger", "kube-system")), clusterOf(text), OPTIONS);
    expect(stranger.running("n1")).toBeNull();
    expect(stranger.timeBombs).toEqual([]);
    expect(stranger.gaps.map((gap) => gap.nodes.length)).toEqual([5]);
  });
});

describe("hosting", () => {
  const node = (labels: Record<string, string>, ...keys: readonly string[]) =>
    hostOf({
      labels,
      taints: keys.map((key) => ({ key, value: "", effect: "NoSchedule", timeAdded: null })),
      info: null,
    });

  test("virtual nodes take no DaemonSet pods, but others unless they are made for one pod", () => {
    const virtual = [
      node({ "eks.amazonaws.com/compute-type": "fargate" }),
      node({ type: "virtual-kubelet" }),
      node({}, "virtual-kubelet.io/provider"),
    ];
    expect(virtual.map((host) => hostingOf("DaemonSet", null, host))).toEqual(["virtual", "virtual", "virtual"]);
    // A Fargate node is made for one pod: nothing else can join it.
    expect(virtual.map((host) => hostingOf("Deployment", null, host))).toEqual(["virtual", "hosts", "hosts"]);
    expect(hostingOf("DaemonSet", null, node({ "eks.amazonaws.com/compute-type": "auto" }))).toBe("hosts");
  });

  test("a node of another system than the workload states hosts none of its pods", () => {
    const windows = node({ "kubernetes.io/os": "windows" });
    expect(hostingOf("DaemonSet", "linux", windows)).toBe("os-differs");
    expect(hostingOf("DaemonSet", null, windows)).toBe("hosts");
    expect(hostingOf("DaemonSet", "linux", node({}))).toBe("hosts");
  });

  test.each([
    ["{os: {name: linux}, containers: []}", "linux"],
    ["{nodeSelector: {beta.kubernetes.io/os: windows}, containers: []}", "windows"],
    [
      "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}]}}}, containers: []}",
      "linux",
    ],
    [
      "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux, windows]}]}]}}}, containers: []}",
      null,
    ],
    ["{containers: []}", null],
  ])("%s states %s", (spec, os) => {
    expect(statedOs(workloadOf(daemonSet("agent", null, { spec })).template)).toBe(os);
  });
});

describe("resources that DRA serves", () => {
  const text = `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", pods: "110"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
`;
  const verdicts = (resource: string) => {
    const job = workloadOf(`
apiVersion: v1
kind: Pod
metadata: {name: job}
spec: {containers: [{name: c, image: i, resources: {limits: {${resource}: "1"}}}]}
`);
    return coverage(job, clusterOf(text), OPTIONS).counts;
  };

  test("are never short, whatever Allocatable says", () => {
    expect(verdicts("example.com/gpu")).toEqual({ fits: 1 });
    expect(verdicts("deviceclass.resource.kubernetes.io/gpu")).toEqual({ fits: 1 });
    expect(verdicts("example.com/fpga")).toEqual({ resource: 1 });
  });
});

test("an autoscaler shows in the model's signs, or in EKS Auto Mode nodes", () => {
  const auto = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {eks.amazonaws.com/compute-type: auto}}\n";
  expect(autoscalerSigns(clusterOf(auto))).toEqual(["EKS Auto Mode nodes"]);
  expect(autoscalerSigns(clusterOf(auto.replace("auto", "ec2")))).toEqual([]);
});

test("a memo keeps one index for a model, and follows a newer one", () => {
  const memo = createCoverageMemo();
  const text = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n";
  const first = clusterOf(text);
  expect(memo.indexOf(first, OPTIONS)).toBe(memo.indexOf(first, OPTIONS));
  const second = clusterOf(`${text}---\n${text.replace("n1", "n2")}`);
  expect(memo.indexOf(second, OPTIONS).table.nodes.map((node) => node.name)).toEqual(["n1", "n2"]);
  const gated = { ...OPTIONS, scheduling: { ...DEFAULT_SCHEDULING, comparisonOperators: true } };
  expect(memo.indexOf(second, gated)).not.toBe(memo.indexOf(second, OPTIONS));
  expect(indexCoverage(second, OPTIONS).table.nodes.length).toBe(2);
});
