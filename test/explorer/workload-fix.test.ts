// Show Fix for a live workload: a patch only where tolerations are what is missing, and a true sentence elsewhere.
import { describe, expect, it } from "vitest";
import { fixFor, workloadOf } from "../../server/src/explorer/reports/workload-fix.ts";
import { ExplorerViews } from "../../server/src/explorer/view.ts";
import { clusterOf } from "../coverage/objects.ts";
import { allRows, judged, treeText } from "./tree.ts";

const ready = "status: {conditions: [{type: Ready, status: 'True'}], allocatable: {cpu: '4', pods: '110'}}";
const node = (name: string, pool: string, taint = "") =>
  `{apiVersion: v1, kind: Node, metadata: {name: ${name}, labels: {pool: ${pool}}}, spec: {taints: [${taint}]}, ${ready}}\n---\n`;
const deployment = (spec: string, metadata = "") =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: train, namespace: ml, uid: d1${metadata}}, spec: {selector: {matchLabels: {app: train}}, template: {metadata: {labels: {app: train}}, spec: {containers: [{name: c, image: i}], ${spec}}}}}\n`;

const RDMA = "{key: dedicated, value: rdma, effect: NoSchedule}";
const NODES = node("w1", "web") + node("r1", "rdma", RDMA) + node("r2", "rdma", RDMA);

function fixOf(text: string) {
  const cluster = judged(clusterOf(text));
  const workload = workloadOf(cluster, {
    cluster: "c",
    kind: "Deployment",
    namespace: "ml",
    name: "train",
    node: null,
  });
  if (workload === null) throw new Error("the cluster has no such Deployment");
  return fixFor(cluster, workload);
}

describe("a Deployment", () => {
  it("whose selector admits only tainted nodes gets their taint's toleration", () => {
    const { patch, advice } = fixOf(NODES + deployment("nodeSelector: {pool: rdma}"));
    expect(advice).toBe(
      "Deployment ml/train does not tolerate dedicated=rdma:NoSchedule. The cluster was read from a file, so that the command names no context: it goes to kubectl's current one.",
    );
    expect(patch?.json).toBe(
      '[{"op":"test","path":"/spec/template/spec/tolerations","value":null},{"op":"add","path":"/spec/template/spec/tolerations","value":[{"key":"dedicated","operator":"Equal","value":"rdma","effect":"NoSchedule"}]}]',
    );
  });
  it("with a list has it tested before it is appended to", () => {
    const { patch } = fixOf(
      NODES + deployment("nodeSelector: {pool: rdma}, tolerations: [{key: a, operator: Exists}]"),
    );
    const steps = JSON.parse(patch?.json ?? "[]");
    expect(steps.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)).toEqual([
      "test /spec/template/spec/tolerations",
      "add /spec/template/spec/tolerations/-",
    ]);
  });
  it("that fits somewhere is not called short of a toleration", () => {
    expect(fixOf(NODES + deployment("nodeSelector: {}"))).toMatchObject({
      patch: null,
      advice: "No taint keeps Deployment ml/train from every node that it could run on.",
    });
  });
  it("that asks for too much is not said to tolerate everything", () => {
    const greedy = deployment("tolerations: [{operator: Exists}]").replace(
      "image: i",
      "image: i, resources: {requests: {cpu: '64'}}",
    );
    const { patch, advice } = fixOf(NODES + greedy);
    expect(patch).toBeNull();
    expect(advice).toContain("fits on no node: 0/3 nodes are available: 3 Insufficient cpu. A toleration is not all");
  });
  it("is never told to tolerate what goes by itself, or the control plane", () => {
    const passing = node("w1", "web", "{key: node.kubernetes.io/disk-pressure, effect: NoSchedule}");
    expect(fixOf(passing + deployment("nodeSelector: {}")).patch).toBeNull();
    const controlPlane = node("cp", "cp", "{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}");
    const { patch, advice } = fixOf(controlPlane + deployment("nodeSelector: {}"));
    expect(patch).toBeNull();
    expect(advice).toContain("fits on no node: 0/1 nodes are available");
  });
  it("of an operator is the operator's", () => {
    const owned = ", ownerReferences: [{apiVersion: x.io/v1, kind: Trainer, name: main, uid: t, controller: true}]";
    const { patch, owner, advice } = fixOf(NODES + deployment("nodeSelector: {pool: rdma}", owned));
    expect([patch, owner]).toEqual([null, "Trainer main"]);
    expect(advice).toContain("would revert an edit");
  });
});

it("a workload without a place opens to the nodes it is meant for", () => {
  const views = new ExplorerViews([judged(clusterOf(NODES + deployment("nodeSelector: {pool: rdma}")))]);
  expect(treeText(allRows(views, "workloads"))).toBe(
    [
      "[warning] Gaps  — 1 workload",
      "  [warning] ml/train  — Deployment · fits on no node · 0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) had untolerated taint(s).",
      "    [warning] r1  — dedicated=rdma:NoSchedule is not tolerated",
      "    [warning] r2  — dedicated=rdma:NoSchedule is not tolerated",
      "",
    ].join("\n"),
  );
});
