// The two views themselves on a real cluster: every button of their titles, what they remember, what they say where there
// is nothing to show: unreachable, forbidden, healthy.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, until } from "../session.ts";
import type { Outcome } from "../suite.ts";
import { type LiveSession, withLiveEditor } from "./live-editor.ts";

const NOBODY = { name: "nobody", token: "nobody-s-token" };

export function runLiveViewSuite(): Promise<Outcome> {
  return withLiveEditor(
    {
      title: "the explorer's views on a real cluster",
      controlPlane: { authorization: "RBAC", users: [NOBODY] },
      contexts: ({ controlPlane: { server, caPath } }) => [
        { name: "without-rights", server, caPath, token: NOBODY.token },
        // Nothing listens there.
        { name: "gone", server: "https://127.0.0.1:1", caPath, token: NOBODY.token },
      ],
    },
    async (session) => {
      const { test, workbench } = session;
      await emptyStates(session);
      await titleButtons(session);
      await memory(session);
      await switching(session);
      await lostServer(session);
      await test("no script failed", async () => assert.deepEqual(workbench.errors, []));
    },
  );
}

async function emptyStates({ test, explorer, chooseContext, picture, workbench }: LiveSession): Promise<void> {
  await test("a context that nothing listens at: what was tried, and why it failed", async () => {
    await chooseContext("gone");
    await explorer.welcome("Nodes").getByText("The cluster cannot be read").waitFor();
    await explorer.description("Nodes", "https://127.0.0.1:1: nothing listens there").waitFor();
    await picture("live-unreachable");
    await workbench.dismissToasts();
  });

  await test("a user without rights: what is forbidden, and where the rights are written down", async () => {
    await chooseContext("without-rights");
    await explorer.welcome("Nodes").getByText("Nodes may not be listed").waitFor();
    await picture("live-forbidden");
    await workbench.dismissToasts();
  });

  await test("everything healthy: the view says so instead of showing nothing", async () => {
    await chooseContext();
    await explorer.title("Nodes", "Show Only Problems");
    await explorer.welcome("Nodes").getByText("Every node is healthy").waitFor();
    await picture("live-all-healthy");
    await explorer.title("Nodes", "Show All Nodes");
    await explorer.row("no taints", "Nodes").waitFor();
  });
}

async function titleButtons({ test, explorer, workbench, cluster, picture }: LiveSession): Promise<void> {
  const cordon = (node: string, on: boolean) => cluster.controlPlane.kubectl([on ? "cordon" : "uncordon", node]);

  await test("paused, the rows stay as they are; followed again, they are as the cluster is", async () => {
    await explorer.title("Nodes", "Group Nodes");
    await workbench.quickInputRow("In one list").click();
    await explorer.row(/^worker-1/, "Nodes").waitFor();
    await explorer.title("Nodes", "Pause Following");
    await explorer.message("Paused").waitFor();
    await cluster.taintPool();
    await until("the server's knowledge", async () => (await explorer.badge()) !== "");
    await workbench.page.waitForTimeout(1_000);
    assert.ok(!(await explorer.texts("Nodes")).some((text) => text.includes("would not come back")));
    await picture("live-paused");
    await explorer.title("Nodes", "Follow the Cluster Again");
    await explorer.row(/^rdma-1.*would not come back/, "Nodes").waitFor();
  });

  await test("Refresh draws the rows again and loses none", async () => {
    const before = await explorer.texts("Nodes");
    await explorer.title("Nodes", "Refresh");
    await workbench.page.waitForTimeout(700);
    assert.deepEqual(await explorer.texts("Nodes"), before);
  });

  await test("the filter is typed, shown, kept with Enter, and cleared by its button", async () => {
    await explorer.title("Nodes", "Filter Nodes and Workloads");
    await workbench.quickInput.locator("input").first().fill("worker");
    await explorer.row(/^rdma-1/, "Nodes").waitFor({ state: "detached" });
    await workbench.press("Escape");
    await explorer.row(/^rdma-1/, "Nodes").waitFor();
    await explorer.title("Nodes", "Filter Nodes and Workloads");
    await workbench.quickInput.locator("input").first().fill("worker-2");
    await workbench.press("Enter");
    await explorer.message("Filter: worker-2").waitFor();
    assert.deepEqual(
      (await explorer.texts("Nodes")).map((text) => text.slice(0, 8)),
      ["worker-2"],
    );
    await picture("live-filter");
    await explorer.title("Nodes", "Clear Filter");
    await explorer.row(/^rdma-1/, "Nodes").waitFor();
  });

  await test("a filter that matches nothing says so and offers to clear it", async () => {
    await explorer.title("Nodes", "Filter Nodes and Workloads");
    await workbench.quickInput.locator("input").first().fill("no such node");
    await workbench.press("Enter");
    await explorer.welcome("Nodes").getByText("Nothing matches the filter").waitFor();
    await picture("live-filtered-away");
    await explorer.welcome("Nodes").getByText("Clear Filter").click();
    await explorer.row(/^rdma-1/, "Nodes").waitFor();
  });

  await test("grouped by problem: the problem is the group", async () => {
    await explorer.title("Nodes", "Group Nodes");
    await workbench.quickInputRow("By problem").click();
    await explorer.row("Platform pod time bomb", "Nodes").waitFor();
    await explorer.title("Nodes", "Group Nodes");
    await workbench.quickInputRow("In one list").click();
  });

  await test("what is open stays open while the cluster changes again and again", async () => {
    await explorer.unfold(/^rdma-1/, "Nodes");
    await explorer.unfold("Taints", "Nodes");
    await explorer.row("dedicated=rdma:NoSchedule", "Nodes").waitFor();
    for (let turn = 0; turn < 5; turn++) {
      await cordon("rdma-1", turn % 2 === 0);
      const taint = explorer.row("node.kubernetes.io/unschedulable", "Nodes");
      await taint.waitFor({ state: turn % 2 === 0 ? "visible" : "detached" });
    }
    await cordon("rdma-1", false);
    await explorer.row("dedicated=rdma:NoSchedule", "Nodes").waitFor();
    await explorer.title("Nodes", "Collapse All");
    await explorer.row("Taints", "Nodes").waitFor({ state: "detached" });
  });
}

async function memory({ test, explorer, workbench }: LiveSession): Promise<void> {
  await test("after a reload: the same cluster, grouping and filter, and following", async () => {
    await explorer.title("Nodes", "Show Only Problems");
    await explorer.row(/^worker-1/, "Nodes").waitFor({ state: "detached" });
    // The browser's storage is written some seconds later.
    await workbench.page.waitForTimeout(6_000);
    await workbench.page.reload({ waitUntil: "domcontentloaded" });
    await workbench.status().filter({ hasText: "test · live" }).waitFor();
    await explorer.open();
    await explorer.row(/^rdma-1.*would not come back/, "Nodes").waitFor();
    assert.equal(await explorer.row("worker-1", "Nodes").count(), 0);
    // One list: no pool above the node.
    assert.match((await explorer.texts("Nodes"))[0] ?? "", /^rdma-1/);
    await explorer.message("Only problems").waitFor();
    await explorer.title("Nodes", "Show All Nodes");
    await explorer.row(/^worker-1/, "Nodes").waitFor();
  });
}

async function switching({ test, explorer, workbench, home, chooseContext }: LiveSession): Promise<void> {
  await test("the title's Select Cluster switches to a file and back; no row of the other stays", async () => {
    cpSync(join(EXAMPLE, "cluster.yaml"), join(home.workspace, "cluster.yaml"));
    await explorer.title("Nodes", "Select Cluster");
    await workbench.quickInputRow("Open file").click();
    await workbench.enterPath(join(home.workspace, "cluster.yaml"));
    await workbench
      .status()
      .filter({ hasText: /cluster · \d/ })
      .waitFor();
    await explorer.row(/^rdma-1\s*rdma\/hca gone/, "Nodes").waitFor();
    await chooseContext();
    await explorer.row(/^rdma-1.*would not come back/, "Nodes").waitFor();
  });
}

async function lostServer({ test, explorer, cluster, picture }: LiveSession): Promise<void> {
  await test("the API server dies: the rows stay as a memory, and the message says why; it comes back by itself", async () => {
    await cluster.controlPlane.stopComponent("kube-apiserver", true);
    await explorer.message(/nothing listens there|connection was cut|refused/).waitFor({ timeout: 60_000 });
    await explorer.row(/^rdma-1/, "Nodes").waitFor();
    await picture("live-lost");
    await cluster.controlPlane.startComponent("kube-apiserver");
    await explorer
      .message(/nothing listens there|connection was cut|refused/)
      .waitFor({ state: "detached", timeout: 60_000 });
    await explorer.row(/^rdma-1.*would not come back/, "Nodes").waitFor();
  });
}
