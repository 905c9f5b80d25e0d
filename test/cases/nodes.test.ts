// Reported cases: what is said of the nodes. The fixtures are complete dumps of the little that their cluster has, so
// every part counts as read.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLUSTER_PARTS, type ClusterModel } from "../../server/src/cluster/model.ts";
import { triage } from "../../server/src/triage/triage.ts";
import { clusterOf } from "../support/judge.ts";

function caseCluster(name: string, more = ""): ClusterModel {
  const cluster = clusterOf(`${readFileSync(`test/cases/${name}.yaml`, "utf8")}${more}`);
  const parts = Object.fromEntries(CLUSTER_PARTS.map((part) => [part, "known"]));
  return { ...cluster, parts: { ...cluster.parts, ...parts } };
}

/** `severity code` of each finding, by node, and all their words. */
function findings(name: string, now: string | null, more = "") {
  const report = triage(caseCluster(name, more), { now: now === null ? null : Date.parse(now) });
  const found = report.nodes.map((node) => [
    node.name,
    node.findings.map(({ severity, code }) => `${severity} ${code}`),
  ]);
  const words = report.nodes.flatMap((node) => [
    ...node.roots.map((root) => `${root.summary} ${root.advice}`),
    ...node.findings.map((finding) => `${finding.message} ${finding.consequence}`),
  ]);
  return { found: Object.fromEntries(found), words: words.join("\n") };
}

const podOf = (daemonSet: string, namespace: string, node: string): string => `
---
apiVersion: v1
kind: Pod
metadata:
  name: ${daemonSet}-x
  namespace: ${namespace}
  uid: pod-x
  creationTimestamp: "2025-12-01T00:00:00Z"
  ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: ${daemonSet}, uid: "", controller: true}]
spec: {nodeName: ${node}, containers: [{name: c, image: i}]}
status:
  phase: Running
  startTime: "2025-12-01T00:00:00Z"
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2025-12-01T00:01:00Z"}]
  containerStatuses: [{name: c, ready: true, restartCount: 0, image: i, state: {running: {startedAt: "2025-12-01T00:01:00Z"}}}]
`;

describe("reported case, nodes", () => {
  it("C41: a startup taint is nothing while the node is young, and left behind when its agent has long been ready", () => {
    const early = findings("C41", "2026-01-01T00:00:30Z").found;
    expect(early).toEqual({ booting: ["information node-not-initialized"], steady: [] });
    const late = findings("C41", "2026-01-02T00:00:00Z", podOf("cilium", "kube-system", "booting"));
    expect(late.found.booting).toContain("warning taint-left-behind");
    expect(late.found.steady).not.toContain("warning taint-left-behind");
    expect(late.words).not.toMatch(/add (a|the) toleration/i);
  });

  it("C43: a scale-down taint is a finding only when its time is old", () => {
    expect(findings("C43", "2024-10-24T17:22:00Z").found).toEqual({ leaving: [], candidate: [] });
    const stuck = findings("C43", "2024-10-25T17:20:00Z");
    expect(stuck.found).toEqual({ leaving: ["warning taint-left-behind"], candidate: [] });
    expect(stuck.words).not.toMatch(/evicted/);
  });

  it("C44: a DaemonSet that leaves virtual nodes out is not missing there", () => {
    const { found } = findings(
      "C44",
      null,
      podOf("cw-agent", "default", "ec2-1") + podOf("storage-node", "default", "ec2-1").replace("pod-x", "pod-y"),
    );
    expect(found["fargate-1"]).toEqual([]);
  });

  it("C48: the device is gone because the plugin's affinity leaves the node out, not for want of a toleration", () => {
    const { found, words } = findings("C48", null);
    expect(found["auto-1"]).toEqual(["warning platform-pod-missing", "error extended-resource-gone"]);
    expect(words).toContain("eks.amazonaws.com/compute-type");
    expect(words).not.toMatch(/toleration/);
  });

  it("C49: 0 of 0 beside a working plugin is a lost registration", () => {
    const { found, words } = findings(
      "C49",
      "2026-01-01T00:00:00Z",
      podOf("rdma-plugin", "kube-system", "r1") +
        podOf("rdma-plugin", "kube-system", "r2")
          .replaceAll("pod-x", "pod-y")
          .replace("rdma-plugin-x", "rdma-plugin-y"),
    );
    expect(found).toEqual({ r1: ["error extended-resource-gone"], r2: [] });
    expect(words).toMatch(/0 of 0/);
    expect(words).toMatch(/[Rr]estart/);
    expect(words).not.toMatch(/toleration/);
  });

  it("C51: no alarm in the first seconds of a node", () => {
    expect(findings("C51", "2026-01-01T00:00:20Z").found).toEqual({ g1: [], g2: [] });
  });

  it("C52 and C54: partitions and leftover names are no loss", () => {
    expect(findings("C52", null).found).toEqual({ h100: [] });
    expect(findings("C54", null).found).toEqual({ n1: [] });
  });

  it("C56: devices that nobody wants are information", () => {
    expect(findings("C56", null).found).toEqual({ g1: ["information extended-resource-gone"] });
  });

  it("C57: a driver that is not registered beside a running pod is a matter of registration", () => {
    const driver =
      "\n---\napiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: nfs.csi.k8s.io}\nspec: {attachRequired: false}\n";
    const { found, words } = findings("C57", "2026-01-01T00:00:00Z", podOf("nfs-node", "kube-system", "n1") + driver);
    expect(found.n1).toHaveLength(1);
    expect(found.n1?.[0]).toMatch(/csi-driver-missing$/);
    expect(words).not.toMatch(/toleration/);
  });
});
