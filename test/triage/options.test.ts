// What the caller and the workspace file can set.
import { describe, expect, it } from "vitest";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { parseTaintPattern, parseWorkloadPattern } from "../../server/src/config/pattern.ts";
import type { ExpectedGap } from "../../server/src/config/workspace.ts";
import type { ClusterNode } from "../../server/src/kube/node.ts";
import { parseTime } from "../../server/src/kube/time.ts";
import type { TriageOptions } from "../../server/src/triage/options.ts";
import { triage } from "../../server/src/triage/triage.ts";
import { answerLines, incidentsIn, readIncident } from "./incident.ts";

const RDMA = incidentsIn("variations").find((incident) => incident.name === "rdma-pool-tainted")?.cluster;

function rdma(): ClusterModel {
  if (RDMA === undefined) throw new Error("no incident rdma-pool-tainted");
  return RDMA;
}

function answers(cluster: ClusterModel, options: Partial<TriageOptions>): readonly string[] {
  return answerLines(triage(cluster, options));
}

const ANY: ExpectedGap = { workload: null, role: null, taint: null, nodes: [], clusters: [], reason: "on purpose" };

describe("expected gaps", () => {
  it("are neither missing nor time bombs", () => {
    const expected = [{ ...ANY, workload: parseWorkloadPattern("DaemonSet/monitoring/*") }];
    const report = triage(rdma(), { expected });
    const missing = report.nodes
      .flatMap((node) => node.findings)
      .filter((finding) => finding.code.startsWith("platform-pod"));
    const names = missing.flatMap((finding) => finding.items.map((item) => item.object?.name));
    expect(names).toEqual(["rdma-shared-dp", "csi-nfs-node", "rdma-shared-dp", "csi-nfs-node"]);
  });

  it("take their taint's consequences for the driver with them", () => {
    const expected = [{ ...ANY, taint: parseTaintPattern("dedicated=rdma") }];
    const lines = answers({ ...rdma(), pods: rdma().pods.filter((pod) => pod.name !== "data-0") }, { expected });
    expect(lines.join("\n")).not.toContain("csi-driver-missing");
  });
});

describe("a report on some nodes", () => {
  it("names only those, and still sees the others as peers", () => {
    const lines = answers(rdma(), { nodes: ["rd1"] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("extended-resource-gone");
  });
});

describe("an earlier snapshot", () => {
  const now = parseTime("2026-04-07T12:00:00Z");
  const read = (text: string) => readIncident("snapshot", `#= observed 2026-04-07T12:00:00Z\n${text}`).cluster;
  const node = (status: string, spec = "") =>
    read(
      `{apiVersion: v1, kind: Node, metadata: {name: n1}${spec}, status: {conditions: [{type: Ready, status: "True"}], ${status}}}`,
    );

  it("tells what a node used to offer", () => {
    const baseline = node('capacity: {example.com/fpga: "2"}, allocatable: {example.com/fpga: "2"}');
    const gone = node('capacity: {cpu: "8"}, allocatable: {cpu: "8"}');
    const fewer = node('capacity: {example.com/fpga: "1"}, allocatable: {example.com/fpga: "1"}');
    expect(answers(gone, { baseline })).toEqual([
      "#= node n1 -> error extended-resource-gone root extended-resource-gone",
    ]);
    expect(answers(fewer, { baseline })).toEqual([
      "#= node n1 -> warning extended-resource-degraded root extended-resource-degraded",
    ]);
    expect(answers(gone, {})).toEqual(["#= node n1 -> none"]);
  });

  it("tells since when, at least, a node is cordoned", () => {
    const cordoned = node("capacity: {}", ", spec: {unschedulable: true}");
    const before: ClusterModel = { ...cordoned, observedAt: parseTime("2026-04-01T12:00:00Z") };
    const report = triage(cordoned, { baseline: before, now });
    expect(report.nodes[0]?.findings[0]?.message).toContain("cordoned at least for 6 days");
    expect(answers(cordoned, { now })).toEqual([
      "#= node n1 -> information node-unschedulable root node-unschedulable",
    ]);
  });

  it("tells that a pod was here before its label went", () => {
    const base = rdma();
    const [daemonSet] = base.workloads;
    if (daemonSet === undefined) throw new Error("no DaemonSet");
    const label = (key: string, one: ClusterNode): ClusterNode => ({
      ...one,
      labels: { ...one.labels, [key]: "true" },
    });
    const nodes = new Map([...base.nodes].map(([name, one]) => [name, label("ready", one)]));
    const selecting = base.workloads.map((workload) =>
      workload === daemonSet
        ? { ...workload, template: { ...workload.template, nodeSelector: { "absent.example.com/x": "true" } } }
        : workload,
    );
    const now2 = { ...base, nodes, workloads: selecting };
    const lines = answers(now2, { baseline: base, nodes: ["rd1"] });
    expect(lines[0]).toContain("platform-pod-missing, extended-resource-gone");
  });
});
