// The incident in real VS Code against a real control plane: seen in the tree within two seconds, the root first, the
// fix in the right file, healed by kubectl.
import assert from "node:assert/strict";
import { join } from "node:path";
import { POOL, TAINT } from "../../cluster/incident-cluster.ts";
import { until } from "../session.ts";
import type { Outcome } from "../suite.ts";
import { type LiveSession, withLiveEditor } from "./live-editor.ts";

const PLUGIN = "rdma-device-plugin.yaml";

export function runLiveSuite(): Promise<Outcome> {
  return withLiveEditor({ title: "the incident on a real control plane" }, playIncident);
}

async function playIncident(session: LiveSession): Promise<void> {
  const { test, cluster, explorer, workbench, picture, chooseContext, onDisk, home } = session;

  await test("no cluster is known before one is chosen, and the view says so", async () => {
    await explorer.open();
    await explorer.welcome("Nodes").getByText("No cluster is chosen").waitFor();
    await picture("live-no-cluster");
  });

  await test("Select Cluster offers the kubeconfig's context; every node is well then", async () => {
    await chooseContext();
    await explorer.widen(600);
    await explorer.welcome("Workloads").getByText("Every workload is where it should be").waitFor();
    assert.equal(await explorer.badge(), "");
    await picture("live-healthy");
  });

  await test("a taint on the pool removes nothing, and the time bombs are named", async () => {
    await cluster.taintPool();
    await explorer.row(/^rdma-1.*would not come back/, "Nodes").waitFor();
    await explorer.row("Time bombs", "Workloads").waitFor();
    assert.equal((await cluster.platformPods("rdma-1")).length, 6);
    await picture("live-time-bomb");
  });

  await test("the rollout of the device plugin is in the tree within two seconds, its cause first", async () => {
    const row = explorer.row(/^rdma-\d\s*rdma-device-plugin blocked by/, "Nodes");
    const seen = row.waitFor().then(() => Date.now());
    const gone = await cluster.rollOut("kube-system", "rdma-device-plugin");
    const took = (await seen) - gone;
    // Two seconds are promised; a machine that runs other suites gets more before the test fails.
    console.log(`    from the deletion on the server to the row: ${took} ms`);
    assert.ok(took < 10_000, `${took} ms`);
  });

  await test("the resource goes as well: one root, the first line, and the same for both nodes", async () => {
    for (const node of POOL) await cluster.offerAdapters(node, "0");
    const row = explorer.row(/^rdma-1\s*rdma\/hca gone: rdma-device-plugin blocked by/, "Nodes");
    await row.waitFor();
    await explorer.unfold(/^rdma-1/, "Nodes");
    await explorer.row("root cause", "Nodes").waitFor();
    const texts = await explorer.texts("Nodes");
    const at = texts.findIndex((text) => text.startsWith("rdma-1"));
    assert.match(texts[at + 1] ?? "", new RegExp(`rdma-device-plugin blocked by ${TAINT}.*root cause`));
    assert.equal(await explorer.badge(), "2");
    await picture("live-root");
  });

  await test("Show Fix on the root opens the right file, and its quick fix writes the toleration", async () => {
    await explorer.act(/root cause/, "Show Fix", "Nodes");
    await workbench.tab(PLUGIN).waitFor();
    const fix = await workbench.offeredFix(`Add the toleration ${TAINT}`);
    await picture("live-show-fix");
    const before = onDisk(PLUGIN);
    await fix.click();
    await workbench.save(PLUGIN);
    const after = await until("the file on disk", () => (onDisk(PLUGIN) === before ? null : onDisk(PLUGIN)));
    const added = after.split("\n").filter((line) => !before.split("\n").includes(line));
    assert.deepEqual(
      added.map((line) => line.trim()),
      ["tolerations:", "- key: dedicated", "operator: Equal", "value: rdma", "effect: NoSchedule"],
    );
  });

  await test("applied with kubectl, the nodes heal in the tree", async () => {
    await cluster.controlPlane.kubectl(["apply", "--server-side", "-f", join(home.workspace, PLUGIN)]);
    await cluster.untilPlatformPods(6);
    for (const node of POOL) await cluster.offerAdapters(node, "8");
    await explorer.row(/^rdma-1\s*(?!.*(gone|rdma-device-plugin)).*would not come back/, "Nodes").waitFor();
    await explorer.row("Gaps", "Workloads").waitFor({ state: "detached" });
    await picture("live-healed");
  });

  await test("no script failed", async () => assert.deepEqual(workbench.errors, []));
}
