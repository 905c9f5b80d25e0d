// What a person opened stays open: VS Code keeps a branch open by its row's id, so over a thousand changes of the cluster
// every opened row must be there again under the same id.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { ExplorerViews } from "../../server/src/explorer/view.ts";
import type { ClusterNode } from "../../server/src/kube/node.ts";
import { seededRandom } from "../bench/cluster-generator.ts";
import { judged, OPTIONS } from "./tree.ts";

const REFRESHES = 1_000;
const NODE = "rdma-1";
const POOLS = { ...OPTIONS, grouping: "pool" } as const;

function example() {
  const bytes = readFileSync(new URL("../../examples/rdma-incident/cluster.yaml", import.meta.url));
  return readClusterFiles([{ path: "cluster.yaml", bytes, named: true }], { name: "prod", now: null }).model;
}

/** The ids from the top down to the node's section, each found by opening the one before. */
function opened(views: ExplorerViews, section: string): readonly string[] {
  const below = (parent: string | null) => views.rows("nodes", parent, 500, POOLS).rows;
  for (const pool of below(null)) {
    const node = below(pool.id).find(({ label }) => label === NODE);
    const found = node === undefined ? undefined : below(node.id).find(({ label }) => label === section);
    if (node !== undefined && found !== undefined) return [pool.id, node.id, found.id];
  }
  return [];
}

it("over a thousand refreshes", { timeout: 120_000 }, () => {
  const random = seededRandom(7);
  let model = example();
  const first = opened(new ExplorerViews([judged(model)]), "Platform pods");
  expect(first).toHaveLength(3);
  for (let refresh = 0; refresh < REFRESHES; refresh++) {
    const node = model.nodes.get(NODE);
    const pods = model.pods.filter((pod) => pod.spec.nodeName === NODE);
    const pod = pods[Math.floor(random() * pods.length)];
    if (node === undefined || pod === undefined) throw new Error(`${NODE} or its pods are gone`);
    const containers = pod.containers.map((status) => ({ ...status, restartCount: refresh, ready: random() < 0.5 }));
    model = updateModel(model, {
      set: { nodes: [changedNode(node, random)], pods: [{ ...pod, containers }] },
    });
    expect(opened(new ExplorerViews([judged(model)]), "Platform pods")).toEqual(first);
  }
});

/** Cordoned or not, Ready or not, with other amounts: everything that comes and goes. */
function changedNode(node: ClusterNode, random: () => number): ClusterNode {
  const hca = random() < 0.5 ? 0 : 8;
  const ready = random() < 0.8 ? "True" : "Unknown";
  return {
    ...node,
    unschedulable: random() < 0.5,
    allocatable: { ...node.allocatable, "rdma/hca": hca },
    conditions: node.conditions.map((one) => (one.type === "Ready" ? { ...one, status: ready } : one)),
  };
}
