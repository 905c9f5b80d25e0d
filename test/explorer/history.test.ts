// What comes and goes within minutes is flapping, with its times; what was lost once is not.
import { describe, expect, it } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { ClusterHistory } from "../../server/src/explorer/history.ts";
import { flapsReport } from "../../server/src/explorer/reports/flaps.ts";
import { ExplorerViews } from "../../server/src/explorer/view.ts";
import { WatchedCluster } from "../../server/src/explorer/watched-cluster.ts";
import { allRows, judged, OPTIONS } from "./tree.ts";

const START = Date.parse("2026-03-02T09:40:00Z");
const MINUTE = 60_000;

/** A node with a device resource, as it was at some minute. */
function at(minute: number, devices: number, ready = "True") {
  const text = `{apiVersion: v1, kind: List, items: [
    {apiVersion: v1, kind: Node, metadata: {name: n1, uid: u1}, status: {capacity: {rdma/hca: "8"}, allocatable: {rdma/hca: "${devices}"}, conditions: [{type: Ready, status: "${ready}"}]}},
    {apiVersion: v1, kind: PodList, items: []}, {apiVersion: apps/v1, kind: DaemonSetList, items: []}]}`;
  const bytes = new TextEncoder().encode(text);
  const { model } = readClusterFiles([{ path: "c.yaml", bytes, named: true }], {
    name: "prod",
    now: START + minute * MINUTE,
  });
  return model;
}

/** The cluster as it is after it was followed through these models. */
function followed(...models: readonly ReturnType<typeof at>[]) {
  const history = new ClusterHistory();
  const all = models.map((model) => judged(model, { history }));
  all.slice(1).forEach((cluster, index) => {
    history.observe(all[index]!.facts, cluster.facts);
  });
  return all.at(-1)!;
}

const resourceRow = (cluster: ReturnType<typeof followed>) =>
  allRows(new ExplorerViews([cluster]), "nodes").find(({ row }) => row.kind === "resource")?.row.description ?? "";

const nodeRow = (cluster: ReturnType<typeof followed>) =>
  new ExplorerViews([cluster]).rows("nodes", null, 10, OPTIONS).rows[0];

describe("a resource", () => {
  it("that was lost twice in ten minutes flaps, though it is back", () => {
    const cluster = followed(at(0, 8), at(1, 0), at(3, 8), at(7, 0), at(9, 8));
    expect(nodeRow(cluster)).toMatchObject({
      state: "warning",
      description: "resource rdma/hca flapping: lost at 09:41:00Z and 09:47:00Z",
    });
    expect(flapsReport(cluster)).toContain("- `n1`: resource rdma/hca is flapping");
  });

  it("that was lost once, as by a restart, does not; when it was gone is still told", () => {
    const cluster = followed(at(0, 8), at(1, 0), at(3, 8));
    expect(nodeRow(cluster)?.description).not.toContain("flapping");
    expect(resourceRow(cluster)).toContain("8 of 8 · 0 requested · gone from 09:41:00Z to 09:43:00Z");
    expect(flapsReport(cluster)).toContain("- `n1`: resource rdma/hca was gone from 09:41:00Z to 09:43:00Z");
  });

  it("that is lost now says since when", () => {
    expect(resourceRow(followed(at(0, 8), at(1, 0), at(2, 0)))).toContain("lost at 09:41:00Z");
  });

  it("whose losses are long ago does not any more", () => {
    expect(flapsReport(followed(at(0, 8), at(1, 0), at(3, 8), at(7, 0), at(9, 8), at(60, 8)))).toBe("");
  });
});

it("Ready flaps the same way", () => {
  const cluster = followed(at(0, 8), at(1, 8, "Unknown"), at(2, 8), at(4, 8, "Unknown"), at(5, 8));
  expect(nodeRow(cluster)?.description).toBe("Ready flapping: lost at 09:41:00Z and 09:44:00Z");
});

describe("a platform pod", () => {
  /** A cluster whose agent runs, or not, with the pod of one revision of its template. */
  const agent = (minute: number, revision: string | null) => {
    const pod =
      revision === null
        ? ""
        : `{apiVersion: v1, kind: Pod, metadata: {name: agent-${revision}, namespace: kube-system, uid: p-${revision}-${minute}, labels: {controller-revision-hash: ${revision}}, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: d1, controller: true}]}, spec: {nodeName: n1}, status: {phase: Running}}`;
    const text = `{apiVersion: v1, kind: List, items: [
      {apiVersion: v1, kind: Node, metadata: {name: n1, uid: u1}, status: {conditions: [{type: Ready, status: "True"}]}},
      {apiVersion: v1, kind: PodList, items: [${pod}]},
      {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: kube-system, uid: d1}, spec: {template: {spec: {hostNetwork: true, volumes: [{name: v, hostPath: {path: /etc/cni/net.d}}]}}}}]}`;
    const { model } = readClusterFiles([{ path: "c.yaml", bytes: new TextEncoder().encode(text), named: true }], {
      name: "prod",
      now: START + minute * MINUTE,
    });
    return model;
  };
  it("that goes again and again flaps", () => {
    const cluster = followed(agent(0, "a"), agent(1, null), agent(2, "a"), agent(6, null), agent(7, "a"));
    expect(nodeRow(cluster)?.description).toBe("pod kube-system/agent flapping: lost at 09:41:00Z and 09:46:00Z");
  });
  it("that two rollouts renewed does not", () => {
    const cluster = followed(agent(0, "a"), agent(1, null), agent(2, "b"), agent(6, null), agent(7, "c"));
    expect(nodeRow(cluster)?.description).not.toContain("flapping");
    expect(flapsReport(cluster)).toContain("- `n1`: pod kube-system/agent was gone from 09:46:00Z to 09:47:00Z");
  });
});

it("the live table of the terminal says of a node that flaps what the view says", () => {
  const watched = new WatchedCluster(DEFAULT_CONFIG);
  const models = [at(0, 8), at(1, 8, "Unknown"), at(2, 8), at(4, 8, "Unknown"), at(5, 8)];
  const tables = models.map((model) => watched.rows(model).map(({ severity, summary }) => `${severity}: ${summary}`));
  expect(tables.at(0)).toEqual(["none: "]);
  expect(tables.at(-1)).toEqual(["warning: Ready flapping: lost at 09:41:00Z and 09:44:00Z"]);
});
