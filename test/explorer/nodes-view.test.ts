// The view "Nodes": the root cause first, ids that outlive every change, groups, filter, paging.
import { describe, expect, it } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { ExplorerViews } from "../../server/src/explorer/view.ts";
import type { ExplorerOptions } from "../../shared/src/explorer.ts";
import { generateCluster, modelOf } from "../bench/cluster-generator.ts";
import { incidentsIn } from "../triage/incident.ts";
import { allRows, judged, OPTIONS, treeText } from "./tree.ts";

const incidents = ["incidents", "variations", "incidents-elsewhere", "incidents-of-vendors"].flatMap(incidentsIn);

function clusterOf(text: string, name = "prod") {
  const bytes = new TextEncoder().encode(text);
  return readClusterFiles([{ path: `${name}.yaml`, bytes, named: true }], {
    name,
    now: Date.parse("2026-03-02T10:00:00Z"),
  }).model;
}

function nodeYaml(name: string, extra = "", taints = ""): string {
  return `---\n{apiVersion: v1, kind: Node, metadata: {name: ${name}, uid: uid-${name}, labels: {pool: ${name.slice(0, 1)}${extra}}}, spec: {taints: [${taints}]}, status: {conditions: [{type: Ready, status: "True"}]}}\n`;
}

const listOf = (views: ExplorerViews, parent: string | null, options: ExplorerOptions = OPTIONS) =>
  views.rows("nodes", parent, 500, options).rows;

describe("every incident shows its root as the node's first line", () => {
  for (const incident of incidents) {
    it(incident.name.replaceAll("-", " "), () => {
      const cluster = judged(incident.cluster);
      const views = new ExplorerViews([cluster]);
      for (const row of listOf(views, null).filter(({ kind }) => kind === "node")) {
        const [root] = cluster.nodes.get(row.label)?.roots ?? [];
        if (root === undefined) {
          expect(row.description).toMatch(/^$|unknown/);
          continue;
        }
        expect(row.description.startsWith(root.summary)).toBe(true);
        const [first] = listOf(views, row.id);
        expect(first).toMatchObject({ kind: "cause", label: root.summary });
      }
    });
  }
});

describe("what opens under a node", () => {
  for (const name of ["rdma-pool-tainted", "n11-disk-pressure-takes-csi-node", "n41-three-independent-faults"]) {
    it(name.replaceAll("-", " "), async () => {
      const incident = incidents.find((one) => one.name === name);
      if (incident === undefined) throw new Error(`no incident ${name}`);
      const views = new ExplorerViews([judged(incident.cluster)]);
      const text = ["nodes", "workloads"] as const;
      const trees = text.map((view) => `== ${view}\n${treeText(allRows(views, view))}`);
      await expect(trees.join("\n")).toMatchFileSnapshot(`./golden/${name}.txt`);
    });
  }
});

describe("ids", () => {
  it("are unique over both views and all incidents", () => {
    const views = new ExplorerViews(incidents.map((incident) => judged(incident.cluster)));
    const ids = (["nodes", "workloads"] as const).flatMap((view) =>
      (["flat", "pool", "problem"] as const).flatMap((grouping) =>
        grouping !== "flat" && view === "workloads"
          ? []
          : allRows(views, view, { ...OPTIONS, grouping })
              .filter(({ row }) => row.kind !== "cluster")
              // What nodes share stands above every grouping, with what opens under it.
              .map(({ row }) => (/\/shared\//.test(row.id) ? `${grouping} ${row.id}` : row.id)),
      ),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("stay the same when counters, states and labels change", () => {
    const before = clusterOf(nodeYaml("a1") + nodeYaml("a2") + nodeYaml("b1"));
    const [first] = before.nodes.values();
    if (first === undefined) throw new Error("no node");
    const conditions = [{ ...first.conditions[0]!, status: "False", reason: "KubeletNotReady" }];
    const after = updateModel(before, { set: { nodes: [{ ...first, unschedulable: true, conditions }] } });
    const ids = (model: typeof before) =>
      allRows(new ExplorerViews([judged(model)]), "nodes", { ...OPTIONS, grouping: "pool" })
        .filter(({ row }) => row.kind === "node" || row.kind === "group")
        .map(({ row }) => row.id);
    expect(ids(after).toSorted()).toEqual(ids(before).toSorted());
  });

  it("are others when a node was made anew under its name", () => {
    const views = (text: string) => new ExplorerViews([judged(clusterOf(text))]);
    const [before] = listOf(views(nodeYaml("a1")), null);
    const [after] = listOf(views(nodeYaml("a1").replace("uid-a1", "uid-other")), null);
    expect(after?.label).toBe(before?.label);
    expect(after?.id).not.toBe(before?.id);
  });

  it("of two clusters with the same node differ, and an unknown one has no children", () => {
    const views = new ExplorerViews([
      judged(clusterOf(nodeYaml("a1"), "one")),
      judged(clusterOf(nodeYaml("a1"), "two")),
    ]);
    const nodes = allRows(views, "nodes").filter(({ row }) => row.kind === "node");
    expect(new Set(nodes.map(({ row }) => row.id)).size).toBe(2);
    expect(listOf(views, "nodes/gone/flat/uid-a1")).toEqual([]);
  });
});

describe("groups", () => {
  const text =
    nodeYaml("a1") +
    nodeYaml("a2", "", "{key: dedicated, value: rdma, effect: NoSchedule}") +
    nodeYaml("b1", ", node-role.kubernetes.io/infra: ''");

  it("are the values of a label where one is named", () => {
    const rows = listOf(new ExplorerViews([judged(clusterOf(text))]), null, {
      ...OPTIONS,
      grouping: "pool",
      poolLabel: "pool",
    });
    expect(rows.map(({ label }) => label)).toEqual(["a", "b"]);
  });

  it("are nodes with the same roles and taints elsewhere, and a cordon makes no other pool", () => {
    const model = clusterOf(text);
    const node = model.nodes.get("a1");
    if (node === undefined) throw new Error("no node");
    const cordon = {
      key: "node.kubernetes.io/unschedulable",
      value: "",
      effect: "NoSchedule",
      timeAdded: null,
    } as const;
    const cordoned = updateModel(model, { set: { nodes: [{ ...node, unschedulable: true, taints: [cordon] }] } });
    for (const one of [model, cordoned]) {
      const rows = listOf(new ExplorerViews([judged(one)]), null, { ...OPTIONS, grouping: "pool" });
      expect(rows.map(({ label }) => label).sort()).toEqual([
        "dedicated=rdma:NoSchedule",
        "infra · no taints",
        "no taints",
      ]);
    }
  });
});

describe("filter", () => {
  const views = new ExplorerViews([
    judged(clusterOf(nodeYaml("a1") + nodeYaml("a2", "", "{key: dedicated, value: rdma, effect: NoSchedule}"))),
  ]);
  it.each([
    ["", ["a1", "a2"]],
    ["A2", ["a2"]],
    ["dedicated a", ["a2"]],
    ["dedicated a1", []],
  ])("%j", (filter, expected) => {
    expect(listOf(views, null, { ...OPTIONS, filter }).map(({ label }) => label)).toEqual(expected);
  });
  it("finds a node by what is wrong with its pods", () => {
    const incident = incidents.find((one) => one.name === "n29-csi-node-finds-no-room");
    if (incident === undefined) throw new Error("it is gone");
    const storage = new ExplorerViews([judged(incident.cluster)]);
    expect(listOf(storage, null, { ...OPTIONS, filter: "db-1" }).map(({ label }) => label)).toEqual(["f1"]);
  });
  it("stands in the message", () => {
    expect(views.rows("nodes", null, 500, { ...OPTIONS, filter: "a2" }).message).toContain("Filter: a2");
  });
});

describe("roots", () => {
  const rowsOf = (name: string, node: string) => {
    const incident = incidents.find((one) => one.name === name);
    if (incident === undefined) throw new Error(`no incident ${name}`);
    const views = new ExplorerViews([judged(incident.cluster)]);
    const id = listOf(views, null).find(({ label }) => label === node)?.id ?? "";
    return listOf(views, id).filter(({ kind }) => kind === "cause");
  };
  it("are as grave as what they bring about", () => {
    // A device plugin that crashes is a warning by itself; without it the node offers no GPU.
    expect(rowsOf("n24-gpu-node-never-initialized", "g1").map(({ state }) => state)).toEqual(["error"]);
  });
  it("say on which node they lie", () => {
    expect(rowsOf("n31-volume-held-by-lost-node", "lb").map(({ description }) => description)).toEqual([
      "root cause, on la",
    ]);
  });
});

describe("a cluster of several without a row", () => {
  const [one, two] = [judged(clusterOf(nodeYaml("a1"), "one")), judged(clusterOf(nodeYaml("b1"), "two"))];
  const views = new ExplorerViews([one, two]);
  it.each([
    [{ filter: "b1" }, "No node matches the filter"],
    [{ onlyProblems: true }, "No node has a known problem"],
  ])("says why for %j", (change, expected) => {
    const [first] = listOf(views, null, { ...OPTIONS, ...change });
    expect(listOf(views, first?.id ?? "", { ...OPTIONS, ...change }).map(({ label }) => label)).toEqual([expected]);
  });
});

describe("many nodes", () => {
  const model = modelOf(generateCluster({ seed: 1, nodes: 1300, daemonSets: 4, taintSets: 3, selectorKeys: 3 }));
  const views = new ExplorerViews([judged(model)]);
  it("come in pages, the last row says how many are left", () => {
    const rows = views.rows("nodes", null, 500, OPTIONS).rows.filter(({ kind }) => kind !== "cause");
    const causes = views.rows("nodes", null, 500, OPTIONS).rows.length - rows.length;
    expect(rows.at(-1)).toMatchObject({ kind: "more", label: `${1300 - 500 + causes} more`, children: "none" });
    expect(rows.filter(({ kind }) => kind === "node")).toHaveLength(500 - causes);
  });
  it("can still be opened behind the first page", () => {
    const last = views.rows("nodes", null, 5000, OPTIONS).rows.at(-1);
    expect(listOf(views, last?.id ?? "").length).toBeGreaterThan(0);
  });
});

it("a driver that is registered still, while its pod is gone, says so", () => {
  const incident = incidents.find((one) => one.name === "n11-disk-pressure-takes-csi-node");
  if (incident === undefined) throw new Error("it is gone");
  const { csiNodes } = incident.cluster;
  const [well] = [...csiNodes.values()].filter(({ drivers }) => drivers.length > 0);
  const sick = csiNodes.get("s1");
  if (well === undefined || sick === undefined) throw new Error("the incident has no such nodes");
  const stale = { ...incident.cluster, csiNodes: new Map([...csiNodes, ["s1", { ...sick, drivers: well.drivers }]]) };
  const rows = allRows(new ExplorerViews([judged(stale)]), "nodes").filter(({ row }) => row.kind === "driver");
  expect(rows.map(({ row }) => [row.state, row.description])).toEqual([
    ["warning", "registered, though kube-system/csi-node has no pod here"],
    ["plain", "registered"],
  ]);
});
