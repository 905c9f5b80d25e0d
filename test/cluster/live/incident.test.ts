// The RDMA incident on a real control plane, seen by the watching product step by step: taint, rollout, symptom,
// diagnosis, patch applied with kubectl, recovery. KWOK plays the kubelets; what a device plugin would change in a
// node's status the test writes.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterModel } from "../../../server/src/cluster/model.ts";
import { indexCoverage } from "../../../server/src/coverage/coverage-index.ts";
import { preflight, preflightPatches } from "../../../server/src/coverage/preflight.ts";
import { tolerationPatch } from "../../../server/src/coverage/toleration-patch.ts";
import { ownerOf } from "../../../server/src/features/fixes/owner.ts";
import { DEFAULT_SCHEDULING } from "../../../server/src/scheduling/verdict.ts";
import { triage } from "../../../server/src/triage/triage.ts";
import type { Json } from "../api.ts";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { type Watched, watch } from "./watched.ts";

const EXAMPLE = "examples/rdma-incident/manifests";
const TAINT = { key: "dedicated", value: "rdma", effect: "NoSchedule" } as const;
const NODES = ["rdma-1", "rdma-2", "worker-1"];
const DRIVER = "files.csi.example.com";
const RDMA_LABELS = {
  "node.kubernetes.io/instance-type": "rdma-8x400",
  "example.com/pool": "rdma",
  "example.com/local-disks": "true",
  "feature.node.kubernetes.io/rdma.capable": "true",
};

let cluster: ControlPlane;
let live: Watched;

beforeAll(async () => {
  await buildPrograms((line) => console.log(line));
  cluster = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true });
  for (const name of NODES) await createNode(name);
  for (const name of NODES) await register(name, [DRIVER]);
  live = await watch(readFileSync(cluster.kubeconfigPath, "utf8"));
});
afterAll(async () => {
  await live?.stop();
  await cluster?.stop();
});

const createNode = (name: string) =>
  cluster.api.create("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      annotations: { "kwok.x-k8s.io/node": "fake" },
      labels: {
        "kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        ...(name.startsWith("rdma") ? RDMA_LABELS : { "example.com/pool": "general" }),
      },
    },
    status: amounts(name.startsWith("rdma") ? "8" : null),
  });

function amounts(hca: string | null): Json {
  const all = { cpu: "32", memory: "64Gi", pods: "110", ...(hca === null ? {} : { "rdma/hca": hca }) };
  return { capacity: all, allocatable: all };
}

/** What the kubelet writes when the CSI node driver registers, or is gone. */
const register = (node: string, drivers: readonly string[]) =>
  cluster.kubectl(
    ["apply", "--server-side", "--force-conflicts", "-f", "-"],
    JSON.stringify({
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: { name: node },
      spec: { drivers: drivers.map((name) => ({ name, nodeID: node })) },
    }),
  );

/** The device plugin's part of a node's status, as the kubelet writes it. */
const offer = (node: string, hca: string) =>
  cluster.kubectl([
    "patch",
    "node",
    node,
    "--subresource=status",
    "--type=merge",
    "-p",
    JSON.stringify({ status: amounts(hca) }),
  ]);

const manifests = (): string =>
  readdirSync(EXAMPLE)
    .sort((left, right) => Number(right === "namespaces.yaml") - Number(left === "namespaces.yaml"))
    .filter((file) => !["dataset-loader.yaml", "training.yaml"].includes(file))
    .map((file) => readFileSync(`${EXAMPLE}/${file}`, "utf8"))
    .join("\n---\n");

const platformPods = (model: ClusterModel, node: string): readonly string[] =>
  model.pods
    .filter((pod) => pod.spec.nodeName === node && pod.controller?.kind === "DaemonSet" && pod.deletedAt === null)
    .map((pod) => pod.controller?.name ?? "")
    .sort();

/** Triage as minutes later: what is young now is settled then. */
const report = (model: ClusterModel) => triage(model, { now: (model.observedAt ?? 0) + 30 * 60_000 });

test("each step of the incident is seen, explained and undone", async () => {
  await cluster.kubectl(["apply", "--server-side", "-f", "-"], manifests());
  const healthy = await live.until(
    "every platform pod runs",
    (model) => platformPods(model, "rdma-1").length === 6 && platformPods(model, "rdma-2").length === 6,
    90_000,
  );
  const losers = ["files-csi-node", "local-storage-provisioner", "log-agent", "node-exporter", "rdma-device-plugin"];

  // Before anybody taints: the preflight tells what would be lost.
  const asked = preflight(indexCoverage(healthy, { scheduling: DEFAULT_SCHEDULING, pools: [] }), {
    taint: TAINT,
    remove: false,
    nodes: ["rdma-1"],
  });
  const bombs = asked.changes.filter((change) => change.timeBomb).map((change) => change.workload.name);
  expect([...bombs].sort()).toEqual(losers);
  expect(preflightPatches(asked, { taint: TAINT, remove: false, nodes: ["rdma-1"] }, ownerOf)).toHaveLength(
    losers.length,
  );

  // The taint: nothing is evicted, and the time bombs are named at once (a second is promised; a loaded machine gets more).
  const tainted = Date.now();
  await cluster.kubectl(["taint", "node", "rdma-1", "dedicated=rdma:NoSchedule"]);
  const armed = await live.until("the taint", (model) => (model.nodes.get("rdma-1")?.taints.length ?? 0) > 0);
  expect(Date.now() - tainted).toBeLessThan(5_000);
  expect(platformPods(armed, "rdma-1")).toHaveLength(6);
  const index = indexCoverage(armed, { scheduling: DEFAULT_SCHEDULING, pools: [] });
  const ticking = armed.workloads.filter((workload) => index.coverage(workload).timeBombs.length > 0);
  expect(ticking.map((workload) => workload.name).sort()).toEqual(losers);

  // The rollout takes the pods; the DaemonSets look complete.
  for (const workload of armed.workloads.filter((each) => each.kind === "DaemonSet")) {
    await cluster.kubectl(["rollout", "restart", "daemonset", workload.name ?? "", "-n", workload.namespace ?? ""]);
  }
  const lost = await live.until("the pods are gone", (model) => platformPods(model, "rdma-1").length === 1, 120_000);
  expect(platformPods(lost, "rdma-1")).toEqual(["pod-network"]);

  // The symptom: the resource goes. One root on top, the symptom under it.
  await register("rdma-1", []);
  await offer("rdma-1", "0");
  const broken = await live.until("rdma/hca 0", (model) => model.nodes.get("rdma-1")?.allocatable?.["rdma/hca"] === 0);
  const node = report(broken).nodes.find((each) => each.name === "rdma-1");
  expect(node?.severity).toBe("error");
  expect(node?.roots.map((root) => root.code)).toEqual(["platform-pod-missing"]);
  expect(node?.roots[0]?.summary).toContain("dedicated=rdma:NoSchedule");
  expect(node?.findings.map((finding) => finding.code)).toEqual([
    "platform-pod-missing",
    "extended-resource-gone",
    "csi-driver-missing",
  ]);

  // The patch, as the product writes it.
  for (const workload of broken.workloads.filter(
    (each) => losers.includes(each.name ?? "") && each.kind === "DaemonSet",
  )) {
    const patch = tolerationPatch(workload, [{ ...TAINT, timeAdded: null }]);
    await cluster.kubectl([
      "patch",
      "daemonset",
      workload.name ?? "",
      "-n",
      workload.namespace ?? "",
      "--type=json",
      "-p",
      JSON.stringify(patch?.patch),
    ]);
  }
  await live.until("the pods are back", (model) => platformPods(model, "rdma-1").length === 6, 120_000);
  await register("rdma-1", [DRIVER]);
  await offer("rdma-1", "8");
  const healed = await live.until("rdma/hca 8", (model) => model.nodes.get("rdma-1")?.allocatable?.["rdma/hca"] === 8);
  expect(
    report(healed)
      .nodes.find((each) => each.name === "rdma-1")
      ?.findings.map((finding) => finding.code),
  ).toEqual([]);
});
