// `toleration-gap` and `toleration-time-bomb` of a device plugin: nodes that show its devices, nodes that show none.
import { describe, expect, it } from "vitest";
import { workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

interface NodeText {
  readonly name: string;
  readonly taint?: string;
  readonly labels?: string;
  /** `status: {…}` is left out where null. */
  readonly allocatable?: string | null;
}

function nodeText({ name, taint = "", labels = "", allocatable = "" }: NodeText): string {
  const [key, value] = taint.split("=");
  const taints = taint === "" ? "" : `{key: ${key}, value: ${value}, effect: NoSchedule}`;
  const resources = `{cpu: "8"${allocatable === "" ? "" : `, ${allocatable}`}}`;
  const status = allocatable === null ? "" : `, status: {allocatable: ${resources}, capacity: ${resources}}`;
  return `{apiVersion: v1, kind: Node, metadata: {name: ${name}, labels: {kubernetes.io/os: linux${labels === "" ? "" : `, ${labels}`}}}, spec: {taints: [${taints}]}${status}}`;
}

const cluster = (...nodes: readonly NodeText[]) => clusterOf(nodes.map(nodeText).join("\n---\n"));

const RDMA: NodeText = { name: "fast-1", allocatable: "rdma/hca: 4" };
const DATABASE: NodeText = { name: "db-1", taint: "dedicated=database" };

/** A plugin without a selector of its own, as most are shipped. */
const plugin = (podSpec = "hostNetwork: false") =>
  workload(
    "DaemonSet",
    `${podSpec}\ncontainers: [{name: c, image: example.com/rdma-shared-dev-plugin}]\nvolumes: [{name: d, hostPath: {path: /var/lib/kubelet/device-plugins}}]`,
    "rdma-device-plugin",
  );

function gaps(text: string, ...nodes: readonly NodeText[]): readonly string[] {
  return diagnose(text, { clusters: [cluster(...nodes)] })
    .filter(({ code }) => code.startsWith("toleration-"))
    .map(({ severity, code, nodes: names }) => `${severity} ${code} ${names.join(",")}`);
}

describe("a device plugin that a pool does not get", () => {
  it("is information where nothing shows the devices, as on another node", () => {
    expect(gaps(plugin(), RDMA, DATABASE)).toEqual(["information toleration-gap db-1"]);
    const pool = { ...DATABASE, labels: "pool: database" };
    const [found] = diagnose(plugin(), { clusters: [cluster({ ...RDMA, labels: "pool: fast" }, pool)] });
    expect(found?.message).toContain("Nothing shows that this node has its devices");
    expect(found?.message).not.toContain("Without it");
    expect(found?.fixes.map(({ kind, preferred }) => `${kind}${preferred ? " preferred" : ""}`)).toEqual([
      "suggested",
      "exclude",
    ]);
  });

  it.each<[string, Partial<NodeText>]>([
    ["the resource, be it with no amount", { allocatable: "rdma/hca: 0" }],
    ["another device: what else is in the machine nobody knows", { allocatable: "nvidia.com/gpu: 8" }],
    ["a taint that speaks of it", { taint: "dedicated=rdma" }],
    ["a label that speaks of it", { labels: "purpose: rdma" }],
    ["a card that was discovered", { labels: "feature.node.kubernetes.io/pci-15b3.present: 'true'" }],
    ["the machine type of a node that has it", { labels: "node.kubernetes.io/instance-type: hpc-96" }],
    ["no status to tell by", { allocatable: null }],
  ])("is a warning where a node shows %s", (_, shown) => {
    const other = { ...RDMA, labels: "node.kubernetes.io/instance-type: hpc-96" };
    expect(gaps(plugin(), other, { ...DATABASE, ...shown })).toEqual(["warning toleration-gap db-1"]);
  });

  it("is told apart, node by node", () => {
    const kept = { name: "fast-2", taint: "dedicated=database", allocatable: "rdma/hca: 0" };
    expect(gaps(plugin(), RDMA, DATABASE, kept)).toEqual([
      "warning toleration-gap fast-2",
      "information toleration-gap db-1",
    ]);
  });

  it.each<[string, string, readonly NodeText[]]>([
    ["no node shows any device: then nothing tells one from the other", plugin(), [{ name: "plain" }, DATABASE]],
    [
      "the plugin picks its nodes by a label",
      plugin("nodeSelector: {pool: db}"),
      [
        { ...RDMA, labels: "pool: db" },
        { ...DATABASE, labels: "pool: db" },
      ],
    ],
    ["it runs nowhere at all", plugin(), [DATABASE, { ...RDMA, taint: "a=b" }]],
  ])("stays a warning where %s", (_, text, nodes) => {
    expect(gaps(text, ...nodes).every((line) => line.startsWith("warning"))).toBe(true);
    expect(gaps(text, ...nodes)).not.toEqual([]);
  });

  it("leaves the other roles alone", () => {
    const driver = plugin().replaceAll("rdma-device-plugin", "csi-node").replace("device-plugins", "plugins_registry");
    expect(gaps(driver, RDMA, DATABASE)).toEqual(["warning toleration-gap db-1"]);
  });
});
