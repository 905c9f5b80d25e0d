// Models from models: what changes, what is shared, what look-ups answer.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClusterIndexes, indexCluster } from "../../server/src/cluster/cluster-index.ts";
import { applyTaint } from "../../server/src/cluster/taint-change.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { formatTaint } from "../../server/src/kube/taint.ts";
import { clusterArbitrary } from "./random-cluster.ts";
import { fixture, read } from "./support.ts";

const { model } = read(fixture("rack.yaml"));
const taints = (changed: typeof model, name: string) => changed.nodes.get(name)?.taints.map(formatTaint);

describe("putting on and taking off a taint", () => {
  const dedicated = { key: "dedicated", value: "ml", effect: "NoSchedule" } as const;

  it("adds it to the named nodes only, and knows no age of it", () => {
    const changed = applyTaint(model, ["cpu-1", "no-such-node"], { taint: dedicated, remove: false });
    expect(taints(changed, "cpu-1")).toEqual(["dedicated=ml:NoSchedule"]);
    expect(changed.nodes.get("cpu-1")?.taints[0]?.timeAdded).toBeNull();
    expect(taints(model, "cpu-1")).toEqual([]);
    expect(changed.nodes.get("rdma-1")).toBe(model.nodes.get("rdma-1"));
    expect(changed.nodes.size).toBe(2);
  });

  it("replaces the value of the same key and effect, as a node never has both", () => {
    expect(taints(applyTaint(model, ["rdma-1"], { taint: dedicated, remove: false }), "rdma-1")).toEqual([
      "dedicated=ml:NoSchedule",
    ]);
  });

  it("takes off by key and effect, whatever the value", () => {
    expect(taints(applyTaint(model, ["rdma-1"], { taint: dedicated, remove: true }), "rdma-1")).toEqual([]);
  });

  it("changes nothing where there is nothing to change", () => {
    const same = { key: "dedicated", value: "rdma", effect: "NoSchedule" } as const;
    expect(applyTaint(model, ["rdma-1"], { taint: same, remove: false }).nodes.get("rdma-1")).toBe(
      model.nodes.get("rdma-1"),
    );
  });
});

describe("an update", () => {
  const pod = model.pods[0]!;

  it("replaces, adds and removes by identity, and shares every list it does not touch", () => {
    const changed = updateModel(model, {
      set: {
        pods: [
          { ...pod, phase: "Failed" },
          { ...pod, name: "new" },
        ],
      },
      remove: { events: [{ namespace: "default", name: "train-0.1" }] },
      observedAt: 5,
      parts: { pods: "forbidden" },
    });
    expect(changed.pods.map(({ name, phase }) => [name, phase])).toEqual([
      ["rdma-plugin-abcde", "Failed"],
      ["new", "Running"],
    ]);
    expect(changed.events).toEqual([]);
    expect([changed.observedAt, changed.parts.pods, changed.parts.nodes]).toEqual([5, "forbidden", "known"]);
    expect(changed.nodes).toBe(model.nodes);
    expect(changed.workloads).toBe(model.workloads);
  });

  it("keeps nodes sorted by name", () => {
    const node = model.nodes.get("cpu-1")!;
    const changed = updateModel(model, {
      set: {
        nodes: [
          { ...node, name: "gpu-1" },
          { ...node, name: "a" },
        ],
      },
    });
    expect([...changed.nodes.keys()]).toEqual(["a", "cpu-1", "gpu-1", "rdma-1"]);
  });

  it("that removes everything and sets it again gives the same objects", () => {
    fc.assert(
      fc.property(clusterArbitrary(), (any) => {
        const pods = [...new Map(any.pods.map((item) => [`${item.namespace}\0${item.name}`, item])).values()];
        const before = { ...any, pods };
        const emptied = updateModel(before, { remove: { pods, nodes: [...any.nodes.keys()] } });
        expect([emptied.pods.length, emptied.nodes.size]).toEqual([0, 0]);
        const again = updateModel(emptied, { set: { pods, nodes: [...any.nodes.values()] } });
        expect(new Set(again.pods)).toEqual(new Set(pods));
        expect(new Map(again.nodes)).toEqual(any.nodes);
      }),
      { numRuns: 50 },
    );
  });
});

describe("look-ups", () => {
  const index = indexCluster(model);

  it("find pods by node and by controller, events by object, workloads by name and uid", () => {
    expect(index.podsOn("cpu-1").map(({ name }) => name)).toEqual(["rdma-plugin-abcde"]);
    expect(index.podsOn("rdma-1")).toEqual([]);
    expect(index.podsOf("ds-1")).toEqual(model.pods);
    expect(index.podsOf("")).toEqual([]);
    expect(index.pod("kube-system", "rdma-plugin-abcde")).toBe(model.pods[0]);
    expect(index.eventsAbout("Pod", "default", "train-0").map(({ reason }) => reason)).toEqual(["FailedScheduling"]);
    expect(index.daemonSets.map(({ name }) => name)).toEqual(["rdma-plugin"]);
    expect(index.workload("DaemonSet", "kube-system", "rdma-plugin")).toBe(index.workloadByUid("ds-1"));
    expect(index.workloadByUid("")).toBeNull();
  });

  it("are made once for each model", () => {
    const indexes = createClusterIndexes();
    expect(indexes.of(model)).toBe(indexes.of(model));
    expect(indexes.of({ ...model })).not.toBe(indexes.of(model));
  });
});
