// One cause for several nodes is told once, above them.
import { expect, it } from "vitest";
import type { ClusterCause } from "../../server/src/triage/finding.ts";
import { triage } from "../../server/src/triage/triage.ts";
import { incidentsIn, readIncident } from "./incident.ts";

const INCIDENTS = new Map(
  ["incidents", "variations"].flatMap(incidentsIn).map((incident) => [incident.name, incident]),
);

function causesOf(name: string): readonly ClusterCause[] {
  const incident = INCIDENTS.get(name);
  if (incident === undefined) throw new Error(`no incident ${name}`);
  return triage(incident.cluster).clusterCauses;
}

it("is the way to the control plane when all fell silent", () => {
  const causes = causesOf("n04-all-nodes-silent-at-once");
  expect(causes.map((cause) => cause.nodes)).toEqual([["a1", "a2", "a3"]]);
  expect(causes[0]?.summary).toContain("the way from the kubelets to the API server");
});

it("is the controller that crashes elsewhere", () => {
  const causes = causesOf("n22-cloud-controller-crashes-elsewhere");
  expect(causes.map(({ nodes, summary }) => [nodes, summary])).toEqual([
    [["u1", "u2"], 'the cloud controller manager does not run: "CrashLoopBackOff authentication failed"'],
  ]);
});

it("is one taint on a pool", () => {
  const [cause] = causesOf("many-nodes-one-taint");
  expect(cause?.nodes).toEqual(["p1", "p2"]);
  expect(cause?.summary).toContain("blocked by workload=batch:NoSchedule");
});

it("is no cordon that several nodes happen to have", () => {
  expect(causesOf("n21-cordons-old-and-young")).toEqual([]);
});

it("is what silent nodes share, while each stays its own root", () => {
  const node = (name: string, status: string) =>
    `{apiVersion: v1, kind: Node, metadata: {name: ${name}}, status: {conditions: [{type: Ready, status: ${status}, reason: NodeStatusUnknown, message: x, lastTransitionTime: "2026-04-07T11:20:0${name.slice(1)}Z"}]}}`;
  const nodes = [1, 2, 3].map((index) => node(`n${index}`, "Unknown"));
  const text = ["#= observed 2026-04-07T12:00:00Z", [...nodes, node("n4", '"True"')].join("\n---\n")].join("\n");
  const report = triage(readIncident("rack", text).cluster);
  expect(report.clusterCauses.map((cause) => cause.nodes)).toEqual([["n1", "n2", "n3"]]);
  expect(report.nodes.flatMap((one) => one.roots.map((root) => root.code))).toEqual(Array(3).fill("node-unknown"));
});
