// The node-health explorer as a person on call opens it: the incident on top, its chain, the commands one click away.
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeSettings } from "../code-server.ts";
import { EXAMPLE, PICTURES, until, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";
import { textOf } from "../workbench.ts";

export function runExplorerSuite(): Promise<Outcome> {
  return withEditor(
    { title: "the node-health explorer", workspace: EXAMPLE },
    async ({ workbench, home, test, picture }) => {
      const { page } = workbench;
      const rows = page.locator(".pane-body .monaco-list-row[role=treeitem]");
      const row = (text: string | RegExp) => rows.filter({ hasText: text }).first();

      const openContainer = () => page.locator('.activitybar .action-item a[aria-label^="Taintwise"]').click();

      await test("the container opens with the worst node on top and its root in words", async () => {
        await openContainer();
        const node = row("rdma-1");
        await node.waitFor();
        assert.match(await textOf(node), /rdma\/hca gone.*blocked by dedicated=rdma:NoSchedule/);
        await picture("explorer-nodes");
      });

      await test("a node opens to its root first, then conditions, taints, pods and resources", async () => {
        await row(/^rdma-1/)
          .locator(".monaco-tl-twistie")
          .click();
        await row("Platform pods").waitFor();
        await row("Extended resources").locator(".monaco-tl-twistie").click();
        await row("Platform pods").locator(".monaco-tl-twistie").click();
        await row("files-csi-node").waitFor();
        await picture("explorer-node-open");
      });

      await test("every row says its state in words", async () => {
        const label = await row(/^files-csi-node/).getAttribute("aria-label");
        assert.match(label ?? "", /files-csi-node, error/);
      });

      await test("only problems hides the healthy ones, and the message says so", async () => {
        await workbench.commandAndPick("Taintwise: Group Nodes…", "In one list");
        await row("worker-1").waitFor();
        await workbench.command("Taintwise: Show Only Problems");
        await row("worker-1").waitFor({ state: "detached" });
        await page.locator(".pane-body .message", { hasText: "Only problems" }).first().waitFor();
        await picture("explorer-only-problems");
        await workbench.command("Taintwise: Show All Nodes");
        await row("worker-1").waitFor();
      });

      await test("triage opens beside the editor with the five steps", async () => {
        await workbench.commandAndPick("Taintwise: Run Triage", "rdma-1");
        const report = await workbench.webview("h2");
        await report.getByText("step by step").waitFor();
        await picture("explorer-triage");
      });

      await test("a check is typed into the terminal and not run", async () => {
        await workbench.commandAndPick("Taintwise: Open Check in Terminal…", "rdma-1");
        await workbench.quickInputRow("Describe the node").click();
        await until("the terminal", async () =>
          (await page.locator(".terminal-wrapper").allInnerTexts()).length > 0 ? true : undefined,
        );
        await picture("explorer-check");
        await workbench.press("Control+J");
      });

      await test("coverage is drawn, and a what-if shows what a taint would do", async () => {
        await workbench.command("View: Close All Editors");
        await workbench.command("Taintwise: Show Coverage");
        const view = await workbench.webview("[role=grid]");
        await view.locator(".cell").first().waitFor();
        await picture("explorer-coverage");
        await view.locator("input[aria-label]").last().fill("dedicated=web:NoSchedule");
        await view.locator("button[type=submit]").click();
        await view.locator(".whatif").waitFor();
        await picture("explorer-what-if");
      });

      await test("every report opens from the palette for a node", async () => {
        await workbench.command("View: Close All Editors");
        for (const [command, says] of [
          ["Taintwise: On-Node Checklist", "kubelet and container runtime"],
          ["Taintwise: Ordered Recovery", "Drain the node"],
          ["Taintwise: Before You Change This Node", "comes back after a drain"],
        ] as const) {
          await workbench.command(command);
          await workbench.quickInputRow("rdma-1").click();
          const report = await workbench.webview(`:text("${says}")`);
          await report.getByText(says).first().waitFor();
        }
        await picture("explorer-before-change");
      });

      await test("a comparison with the snapshot before names what the taint took away", async () => {
        await workbench.command("Taintwise: Compare with Snapshot…");
        await workbench.enterPath(join(home.workspace, "before.yaml"));
        const report = await workbench.webview(':text("What changed since the snapshot")');
        await report.getByText("lost its pod").first().waitFor();
        await picture("explorer-compare");
        await workbench.command("View: Close All Editors");
      });

      await test("a filter narrows the rows, the message shows it, and it can be cleared", async () => {
        await workbench.command("Taintwise: Filter Nodes and Workloads…");
        await workbench.quickInput.locator("input").first().fill("rdma-2");
        await workbench.press("Enter");
        await row(/^rdma-1/).waitFor({ state: "detached" });
        await page.locator(".pane-body .message", { hasText: "Filter: rdma-2" }).first().waitFor();
        await workbench.command("Taintwise: Clear Filter");
        await row(/^rdma-1/).waitFor();
      });

      await test("Show Fix goes to the manifest and offers the toleration there", async () => {
        const workload = row("monitoring/log-agent");
        // The actions show while the row is under the mouse, which is lost whenever rows are drawn again.
        const fix = workload.locator('.action-label[aria-label^="Show Fix"]');
        for (let tries = 0; ; tries += 1) {
          try {
            await workload.click({ timeout: 2_000 });
            await workload.hover({ timeout: 2_000 });
            await fix.click({ timeout: 1_500 });
            break;
          } catch (error) {
            if (tries === 8) throw error;
            await page.mouse.move(700, 400);
          }
        }
        await workbench.tab("log-agent.yaml").waitFor();
        await workbench.actionMenu.getByText("Add the toleration dedicated=rdma:NoSchedule").first().waitFor();
        await picture("explorer-show-fix");
        await workbench.press("Escape");
      });

      for (const [name, theme, marker] of [
        ["light", "Default Light Modern", "vs"],
        ["dark", "Default Dark Modern", "vs-dark"],
        ["contrast", "Default High Contrast", "hc-black"],
      ] as const) {
        await test(`${theme}: tree, hover, report, matrix and welcome text are readable`, async () => {
          writeSettings(home, { "workbench.colorTheme": theme });
          await workbench.command("View: Close All Editors");
          // Comes back with this container open, not with the files.
          await page.reload({ waitUntil: "domcontentloaded" });
          await page.locator(`.monaco-workbench.${marker}`).waitFor();
          await workbench.command("Taintwise: Focus on Nodes View");
          await row(/^rdma-1/).waitFor();
          await row(/^rdma-1/)
            .locator(".monaco-tl-twistie")
            .click();
          await workbench.command("Taintwise: Show Coverage");
          await (await workbench.webview("[role=grid] .cell")).locator(".cell.gap").first().waitFor();
          await picture(`explorer-${name}`);
          await workbench.commandAndPick("Taintwise: Run Triage", "rdma-1");
          await workbench.tab("Triage: rdma-1.md").waitFor();
          await (await workbench.webview("h2")).getByText("step by step").waitFor();
          await row(/^rdma-1/).hover();
          await page.locator(".workbench-hover", { hasText: "blocked by dedicated=rdma:NoSchedule" }).waitFor();
          await page.screenshot({ path: join(PICTURES, `explorer-hover-${name}.png`) });
          await workbench.command("View: Close All Editors");
          await workbench.commandAndPick("Taintwise: Select Cluster", "No cluster");
          await page.locator(".welcome-view-content", { hasText: "No cluster is chosen" }).first().waitFor();
          await picture(`explorer-welcome-${name}`);
          await workbench.commandAndPick("Taintwise: Select Cluster", "As settings and taintwise.yaml say");
          await row(/^rdma-1/).waitFor();
        });
      }

      await test("no script failed", async () => {
        assert.deepEqual(workbench.errors, []);
      });
    },
  );
}
