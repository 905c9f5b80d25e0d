// The commands that change a cluster, once each, in real VS Code on a real control plane: the diff of the dry run, the
// dialog that names the context, the rollout, and what the tree shows then.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../cluster/api.ts";
import { POOL } from "../../cluster/incident-cluster.ts";
import type { Outcome } from "../suite.ts";
import { textOf } from "../workbench.ts";
import { type LiveSession, withLiveEditor } from "./live-editor.ts";

const EXPORTER = "/apis/apps/v1/namespaces/monitoring/daemonsets/node-exporter";

export function runLiveChangeSuite(): Promise<Outcome> {
  return withLiveEditor({ title: "changes of a real cluster" }, async (session) => {
    const { test, workbench, chooseContext, cluster, explorer } = session;
    await test("the incident happens", async () => {
      await chooseContext();
      await cluster.taintPool();
      await cluster.rollOut("monitoring", "node-exporter");
      await explorer.row("monitoring/node-exporter", "Workloads").waitFor();
    });
    await test("without the setting the command says how to turn it on", async () => {
      await onWorkload(session);
      await workbench.toasts().filter({ hasText: "taintwise.cluster.allowChanges" }).waitFor();
      await workbench.dismissToasts();
    });
    await test("the setting of the machine turns it on", async () => {
      allowChanges(session);
      // The browser's storage, which holds the choice of the context, is written some seconds later.
      await workbench.page.waitForTimeout(6_000);
      await workbench.page.reload({ waitUntil: "domcontentloaded" });
      await workbench.status().filter({ hasText: "test · live" }).waitFor();
      await explorer.open();
      await explorer.row("monitoring/node-exporter", "Workloads").waitFor();
    });
    await fix(session);
    await nodes(session);
    await test("no script failed", async () => assert.deepEqual(workbench.errors, []));
  });
}

/** The command on the workload's row; rows that are drawn anew under an open menu take the row from it. */
async function onWorkload({ explorer, workbench }: LiveSession): Promise<void> {
  await explorer.choose("monitoring/node-exporter", "Apply Fix to Cluster", "Workloads");
  await workbench.page.waitForTimeout(500);
  const asked = workbench.quickInput.locator('input[placeholder^="Which workload"]');
  if (await asked.isVisible()) await workbench.quickInputRow("monitoring/node-exporter").click();
}

/** A setting of the machine: that of the server which the editor's window is connected to. */
function allowChanges({ home }: LiveSession): void {
  const folder = join(home.folder, "data/Machine");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), '{ "taintwise.cluster.allowChanges": true }');
}

async function fix(session: LiveSession): Promise<void> {
  const { test, workbench, cluster, explorer, picture } = session;
  const { api } = cluster.controlPlane;
  const keys = async (): Promise<readonly string[]> =>
    ((await api.get(EXPORTER)).spec.template.spec.tolerations ?? []).map(({ key }: Json) => key);

  await test("Apply Fix shows the dry run as a diff, and leaving it changes nothing", async () => {
    await onWorkload(session);
    await workbench.quickInputRow("Leave It").waitFor();
    await workbench.page.locator(".monaco-diff-editor .view-line", { hasText: "key: dedicated" }).first().waitFor();
    await picture("live-change-diff");
    await workbench.quickInputRow("Leave It").click();
    assert.ok(!(await keys()).includes("dedicated"));
  });

  await test("confirmed in a dialog that names the context, it is applied and followed until it is done", async () => {
    await onWorkload(session);
    await workbench.quickInputRow("Change test").click();
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    const text = await textOf(dialog);
    for (const part of ["Context test", "DaemonSet monitoring/node-exporter", "rdma-1, rdma-2", "127.0.0.1"]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    await picture("live-change-confirm");
    await dialog.getByRole("button", { name: "Change test" }).click();
    await workbench.toasts().filter({ hasText: "pods are new" }).first().waitFor();
    const report = await workbench.webview('h1:has-text("Rollout of DaemonSet")');
    await report.getByText("Done.").waitFor({ timeout: 120_000 });
    await picture("live-change-rollout");
    assert.ok((await keys()).includes("dedicated"));
    await explorer.row("monitoring/node-exporter", "Workloads").waitFor({ state: "detached" });
    await workbench.dismissToasts();
    await workbench.command("View: Close All Editors");
  });
}

async function nodes(session: LiveSession): Promise<void> {
  const { test, workbench, cluster, explorer, picture } = session;
  const specOf = async (): Promise<Json> => (await cluster.controlPlane.api.get(`/api/v1/nodes/${POOL[0]}`)).spec;
  const confirm = async () => {
    await workbench.quickInputRow("Change test").click();
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByRole("button", { name: "Change test" }).click();
    await workbench.toasts().filter({ hasText: "Done." }).first().waitFor();
    await workbench.dismissToasts();
    await workbench.command("View: Close All Editors");
  };

  await test("Cordon Node shows the preflight first; then the node is cordoned", async () => {
    await explorer.choose(/^rdma-1/, "Cordon Node", "Nodes");
    await workbench.webview('h1:has-text("Cordon rdma-1")');
    await picture("live-change-cordon");
    await confirm();
    assert.equal((await specOf()).unschedulable, true);
  });

  await test("Uncordon Node takes it back", async () => {
    await explorer.choose(/^rdma-1/, "Uncordon Node", "Nodes");
    await workbench.webview('h1:has-text("Uncordon rdma-1")');
    await confirm();
    assert.equal((await specOf()).unschedulable, undefined);
  });

  await test("Taint Node refuses what is no taint in its box, then tells who would be evicted", async () => {
    await explorer.choose(/^rdma-1/, "Taint Node", "Nodes");
    await workbench.quickInput.locator("input").first().fill("burn=yes:NoExecut");
    await workbench.press("Enter");
    await workbench.quickInput.getByText("is no effect").first().waitFor();
    await workbench.quickInput.locator("input").first().fill("burn=yes:NoExecute");
    await workbench.press("Enter");
    const report = await workbench.webview('h1:has-text("Put burn=yes:NoExecute on rdma-1")');
    assert.match(await textOf(report.locator("body")), /at once/);
    await picture("live-change-taint");
    await confirm();
    assert.ok((await specOf()).taints.some(({ key }: Json) => key === "burn"));
    await explorer.row(/^rdma-1/, "Nodes").waitFor();
  });
}
