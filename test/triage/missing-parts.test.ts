// What was not read is unknown, never clean and never a fault.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterModel, ClusterPart } from "../../server/src/cluster/model.ts";
import type { TriageReport } from "../../server/src/triage/finding.ts";
import { triage } from "../../server/src/triage/triage.ts";
import type { FindingCode } from "../../shared/src/codes.ts";
import { incidentsIn } from "./incident.ts";

const INCIDENTS = ["incidents", "variations"].flatMap(incidentsIn);

function codesByNode(report: TriageReport): ReadonlyMap<string, readonly string[]> {
  return new Map(report.nodes.map((node) => [node.name, node.findings.map((finding) => finding.code)]));
}

/** The model as it were if a part had not been read. */
function without(cluster: ClusterModel, part: ClusterPart): ClusterModel {
  const parts = { ...cluster.parts, [part]: "missing" as const };
  switch (part) {
    case "events":
      return { ...cluster, parts, events: [] };
    case "pods":
      return { ...cluster, parts, pods: [] };
    case "daemonsets":
      return { ...cluster, parts, workloads: cluster.workloads.filter((workload) => workload.kind !== "DaemonSet") };
    case "owners":
      return { ...cluster, parts, workloads: cluster.workloads.filter((workload) => workload.kind === "DaemonSet") };
    case "csinodes":
      return { ...cluster, parts, csiNodes: new Map() };
    case "csidrivers":
      return { ...cluster, parts, csiDrivers: new Map() };
    default:
      return { ...cluster, parts };
  }
}

/** What the part would have excused: a Job that is complete, a plugin that has just started, a volume in use elsewhere. */
const EXCUSED: Readonly<Partial<Record<ClusterPart, FindingCode>>> = {
  events: "pod-stuck-creating",
  owners: "pod-rejected",
  pods: "extended-resource-gone",
};

describe("missing parts", () => {
  for (const part of ["events", "pods", "owners", "csinodes"] as const) {
    it(`without ${part} no node gets a finding that it does not have with them`, () => {
      for (const { name, cluster } of INCIDENTS) {
        const whole = codesByNode(triage(cluster));
        for (const [node, codes] of codesByNode(triage(without(cluster, part)))) {
          const more = codes.filter((code) => !whole.get(node)?.includes(code));
          const known = more.filter((code) => code !== EXCUSED[part]);
          expect({ incident: name, node, more: known }).toEqual({ incident: name, node, more: [] });
        }
      }
    });
  }

  it("says what it could not judge", () => {
    const [incident] = INCIDENTS;
    if (incident === undefined) throw new Error("no incident");
    const report = triage(without({ ...incident.cluster, observedAt: null }, "pods"));
    expect(report.unknown).toContain(
      "Pods are not in what was read: missing, waiting, evicted and stuck pods are unknown.",
    );
    expect(report.unknown).toContain("The time of observation is unknown: everything that depends on age is unknown.");
  });

  it("reports no platform pod without pods or DaemonSets", () => {
    // A static kube-proxy needs no DaemonSet to be judged.
    const incidents = INCIDENTS.filter(({ cluster }) => !cluster.pods.some((pod) => pod.mirror));
    for (const { cluster } of incidents) {
      for (const part of ["pods", "daemonsets"] as const) {
        const found = triage(without(cluster, part)).nodes.flatMap((node) =>
          node.findings.map((finding) => finding.code),
        );
        expect(found.filter((code) => code.startsWith("platform-pod"))).toEqual([]);
      }
    }
  });
});

describe("every report", () => {
  it("is well formed whatever objects are left out", () => {
    const incident = fc.constantFrom(...INCIDENTS);
    fc.assert(
      fc.property(incident, fc.infiniteStream(fc.boolean()), fc.boolean(), ({ cluster }, kept, timeless) => {
        const keep = () => kept.next().value;
        const report = triage({
          ...cluster,
          observedAt: timeless ? null : cluster.observedAt,
          nodes: new Map([...cluster.nodes].filter(keep)),
          pods: cluster.pods.filter(keep),
          events: cluster.events.filter(keep),
          workloads: cluster.workloads.filter(keep),
          csiNodes: new Map([...cluster.csiNodes].filter(keep)),
          csiDrivers: new Map([...cluster.csiDrivers].filter(keep)),
        });
        for (const node of report.nodes) {
          const codes = node.findings.map((finding) => finding.code);
          expect(new Set(codes).size).toBe(codes.length);
          expect(node.roots.length > 0).toBe(codes.length > 0);
          expect(node.severity === "none").toBe(codes.length === 0);
          const told = new Set<string>();
          for (const finding of node.findings) {
            expect(finding.items.length).toBeGreaterThan(0);
            expect(finding.evidence.length).toBeGreaterThan(0);
            expect(finding.message).toContain(" ");
            told.add(finding.id);
          }
          for (const finding of node.findings) for (const cause of finding.causedBy) expect(told).toContain(cause);
          for (const root of node.roots) expect(root.summary).not.toBe("");
        }
        for (const pod of report.pods) expect(pod.root.code).toBe("outside");
      }),
      { numRuns: 400 },
    );
  });
});
