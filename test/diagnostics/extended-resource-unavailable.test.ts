// `extended-resource-unavailable`: devices that no node offers.
import { describe, expect, it } from "vitest";
import { check, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

/** DeviceClasses were read: there are none. */
const CLASSES = "- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: other}, spec: {}}\n";
const cluster = (nodes: string, classes = CLASSES) =>
  clusterOf(`apiVersion: v1\nkind: List\nitems:\n${classes}${nodes}`);
const node = (name: string, allocatable: string, capacity = allocatable, taints = "[]") =>
  `- {apiVersion: v1, kind: Node, metadata: {name: ${name}}, spec: {taints: ${taints}}, status: {capacity: {${capacity}}, allocatable: {${allocatable}}}}\n`;
const asking = (resource: string) =>
  workload("DaemonSet", `containers: [{name: c, image: i, resources: {limits: {${resource}: 1}}}]`);
const found = (resource: string, model: ReturnType<typeof cluster>) =>
  diagnose(asking(resource), { clusters: [model] })
    .filter(({ code }) => code === "extended-resource-unavailable")
    .map(({ severity, message }) => `${severity}: ${message}`);

describe("extended-resource-unavailable", () => {
  it("marks the request and tells a name nobody knows from a count of 0", () => {
    check(
      workload(
        "DaemonSet",
        `
        containers:
        - name: c
          image: i
          resources:
            limits:
              rdma/hca_shared: 1
            # ^^^^^^^^^^^^^^^ warning extended-resource-unavailable: No node that these pods may run on knows rdma/hca_shared: it was never registered there. Nodes offer rdma/hca: is one of them meant?
        `,
      ),
      { clusters: [cluster(node("a", 'cpu: "8", rdma/hca: "4"'))] },
    );
    expect(found("rdma/hca", cluster(node("a", 'rdma/hca: "0"', 'rdma/hca: "4"')))).toEqual([
      "warning: rdma/hca is 0 on every node that these pods may run on (a) where it should be 4: the device plugin is gone or its devices are unhealthy.",
    ]);
    expect(found("rdma/hca", cluster(node("a", 'rdma/hca: "0"')))[0]).toContain("rdma/hca is 0 on every node");
  });

  it("offers partitions and shares of the same vendor", () => {
    const mig = cluster(node("a", 'nvidia.com/gpu: "0", nvidia.com/mig-1g.5gb: "7"'));
    expect(found("nvidia.com/gpu", mig)[0]).toContain("Nodes offer nvidia.com/mig-1g.5gb");
  });

  it("looks only where the pods may run", () => {
    const tainted = "[{key: x, effect: NoSchedule}]";
    const model = cluster(node("a", 'cpu: "8"') + node("b", 'rdma/hca: "4"', 'rdma/hca: "4"', tainted));
    expect(found("rdma/hca", model)[0]).toContain("1 node that they may not run on offer it (b).");
  });

  it("is silent where a node offers it, where nodes have no status, and for native resources", () => {
    expect(found("rdma/hca", cluster(node("a", 'rdma/hca: "1"') + node("b", 'cpu: "1"')))).toEqual([]);
    expect(found("rdma/hca", cluster("- {apiVersion: v1, kind: Node, metadata: {name: a}}\n"))).toEqual([]);
    expect(found("hugepages-2Mi", cluster(node("a", 'cpu: "1"')))).toEqual([]);
  });

  it("is information where a DeviceClass serves it, or may", () => {
    const served =
      "- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, spec: {extendedResourceName: rdma/hca}}\n";
    expect(found("rdma/hca", cluster(node("a", 'cpu: "1"'), served))[0]).toMatch(
      /^information: .*A DeviceClass serves it/,
    );
    expect(found("rdma/hca", cluster(node("a", 'cpu: "1"'), ""))[0]).toMatch(
      /^information: .*DeviceClasses were not read/,
    );
  });
});
