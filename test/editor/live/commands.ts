// Every command about a node or a workload, once each, in real VS Code on a real cluster in which the incident has
// happened: what is shown, what is written to disk or clipboard, and that nothing is run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { POOL } from "../../cluster/incident-cluster.ts";
import { programPath } from "../../cluster/modules.ts";
import { until } from "../session.ts";
import type { Outcome } from "../suite.ts";
import { textOf } from "../workbench.ts";
import { type LiveSession, withLiveEditor } from "./live-editor.ts";

/** DaemonSets that no file of the workspace defines; the second belongs to an operator. */
const ELSEWHERE = ["fluent-bit", "node-problem-detector"].map(
  (name, index) => `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ${name}
  namespace: monitoring
  labels: {${index === 1 ? "app.kubernetes.io/managed-by: problem-operator" : ""}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
        - name: ${name}
          image: registry.example.com/monitoring/${name}:2.1.0
          volumeMounts: [{name: log, mountPath: /var/log}]
      volumes: [{name: log, hostPath: {path: /var/log}}]
`,
);

export function runLiveCommandSuite(): Promise<Outcome> {
  const settings = { "terminal.integrated.gpuAcceleration": "off" };
  return withLiveEditor(
    { title: "the explorer's commands on a real cluster", clusterOnly: ELSEWHERE, settings },
    async (session) => {
      const { test, workbench, chooseContext, home } = session;
      await test("the incident happens", async () => {
        await chooseContext();
        await takeSnapshot(session);
        // A second manifest of the same DaemonSet.
        mkdirSync(join(home.workspace, "staging"));
        copyFileSync(join(home.workspace, "log-agent.yaml"), join(home.workspace, "staging/log-agent.yaml"));
        await happen(session);
      });
      await reports(session);
      await checks(session);
      await fixes(session);
      await recovery(session);
      await coverage(session);
      await test("no script failed", async () => assert.deepEqual(workbench.errors, []));
    },
  );
}

const snapshotOf = ({ home }: LiveSession): string => join(home.workspace, "before.yaml");

async function takeSnapshot(session: LiveSession): Promise<void> {
  const kinds = "nodes,namespaces,pods,daemonsets,deployments,replicasets,csinodes";
  writeFileSync(snapshotOf(session), await session.cluster.controlPlane.kubectl(["get", kinds, "-A", "-o", "yaml"]));
}

async function happen({ cluster, explorer }: LiveSession): Promise<void> {
  await cluster.taintPool();
  for (const [namespace, name] of [
    ["kube-system", "rdma-device-plugin"],
    ["monitoring", "fluent-bit"],
    ["monitoring", "node-problem-detector"],
  ] as const) {
    await cluster.rollOut(namespace, name);
  }
  for (const node of POOL) await cluster.offerAdapters(node, "0");
  await explorer.row(/^rdma-1\s*rdma\/hca gone/, "Nodes").waitFor();
}

async function reports(session: LiveSession): Promise<void> {
  const { test, explorer, workbench, home, picture } = session;
  const report = async (title: string, says: string) => {
    await workbench.tab(`${title}.md`).waitFor();
    return workbench.webview(`:is(h1, h2, h3):has-text("${says}")`);
  };
  const clipboard = () => workbench.page.evaluate("navigator.clipboard.readText()").then(String);
  const close = () => workbench.command("View: Close All Editors");

  await test("Run Triage, the button of a node: the report stands beside, the five steps in it", async () => {
    await explorer.act(/^rdma-1/, "Run Triage", "Nodes");
    const shown = await report("Triage: rdma-1", "Node triage");
    await shown.getByText("step by step").first().waitFor();
    await picture("live-triage");
  });

  await test("Copy Report, from the palette while the report has no focus", async () => {
    await workbench.command("Taintwise: Copy Report as Markdown");
    await until("the clipboard", async () => (await clipboard()).includes("blocked by dedicated=rdma:NoSchedule"));
    assert.match(await clipboard(), /^## /m);
  });

  await test("Save Report As, from the palette, writes the same Markdown", async () => {
    await workbench.command("Taintwise: Save Report As…");
    await workbench.savePath(join(home.workspace, "triage.md"));
    const text = await until(
      "the file",
      () => existsSync(join(home.workspace, "triage.md")) && session.onDisk("triage.md"),
    );
    assert.equal(text, await clipboard());
  });

  await test("both have a button above a report that has the focus", async () => {
    await workbench.tab("Triage: rdma-1.md").click();
    const button = (label: string) => workbench.page.locator(`.editor-actions .action-label[aria-label^="${label}"]`);
    await button("Copy Report as Markdown").waitFor();
    await workbench.page.evaluate('navigator.clipboard.writeText("")');
    await button("Copy Report as Markdown").click();
    await until("the clipboard", async () => (await clipboard()).includes("blocked by dedicated=rdma:NoSchedule"));
    await button("Save Report As").click();
    await workbench.savePath(join(home.workspace, "again.md"));
    await until("the file", () => existsSync(join(home.workspace, "again.md")));
    assert.equal(session.onDisk("again.md"), session.onDisk("triage.md"));
    await close();
  });

  await test("without a report Copy Report says so", async () => {
    await workbench.command("Taintwise: Copy Report as Markdown");
    await workbench.toasts().filter({ hasText: "Open a report first" }).waitFor();
    await workbench.dismissToasts();
  });

  await test("Run Triage on a workload, from its menu", async () => {
    await explorer.choose("kube-system/rdma-device-plugin", "Run Triage", "Workloads");
    const shown = await report("Triage: rdma-device-plugin", "rdma-1");
    assert.match(await textOf(shown.locator("body")), /rdma-1/);
    await close();
  });

  await test("Run Triage on a platform pod's row under a node", async () => {
    await explorer.unfold(/^rdma-2/, "Nodes");
    await explorer.unfold("Platform pods", "Nodes");
    await explorer.choose(/^log-agentlog agent/, "Run Triage", "Nodes");
    await report("Triage: log-agent", "rdma-2");
    await explorer.fold(/^rdma-2/, "Nodes");
    await close();
  });

  await test("Run Triage on the whole cluster, from the palette", async () => {
    await workbench.commandAndPick("Taintwise: Run Triage", "The whole cluster");
    const shown = await report("Triage: test", "rdma-2");
    assert.match(await textOf(shown.locator("body")), /rdma-1.*rdma-2/s);
    await picture("live-triage-cluster");
    await close();
  });

  for (const [command, title, says] of [
    ["On-Node Checklist", "On the node", "journalctl"],
    ["Before You Change This Node", "Before a change", "comes back after a drain"],
  ] as const) {
    await test(`${command}, from a node's menu`, async () => {
      await explorer.choose(/^rdma-1/, command, "Nodes");
      const shown = await report(`${title}: rdma-1`, "rdma-1");
      assert.ok((await textOf(shown.locator("body"))).includes(says));
      await close();
    });
  }

  await test("Compare with Snapshot tells what the taint and the rollout took", async () => {
    await workbench.command("Taintwise: Compare with Snapshot…");
    await workbench.enterPath(snapshotOf(session));
    const shown = await report("Changes: test", "What changed");
    const text = await textOf(shown.locator("body"));
    for (const part of ["rdma-1", "dedicated=rdma:NoSchedule", "rdma/hca", "lost its pod"])
      assert.ok(text.includes(part));
    await picture("live-compare");
    await close();
  });
}

async function checks({ test, explorer, workbench, picture }: LiveSession): Promise<void> {
  await test("Open Check in Terminal types the line and does not run it", async () => {
    await explorer.act(/^rdma-1/, "Open Check in Terminal", "Nodes");
    await workbench.quickInputRow("Describe the node").click();
    const line = /kubectl --context test .*describe node rdma-1/;
    await until("the line", async () => line.test((await workbench.terminalText()).replaceAll("\n", "")));
    // There is no kubectl on this editor's path: run, the shell would complain.
    await workbench.page.waitForTimeout(500);
    assert.doesNotMatch(await workbench.terminalText(), /not found|No such/);
    await picture("live-check");
    await workbench.command("Terminal: Kill the Active Terminal Instance");
  });
}

/** The menu of quick fixes comes up by itself where Show Fix leads. */
async function dismissFixes({ workbench }: LiveSession): Promise<void> {
  await workbench.offeredFix("Add the toleration");
  await workbench.press("Escape");
  await workbench.actionMenu.first().waitFor({ state: "hidden" });
}

async function fixes(session: LiveSession): Promise<void> {
  const { test, explorer, workbench, cluster, home, picture } = session;
  await test("Show Fix without a file: the patch for the clipboard, which the server takes", async () => {
    await explorer.act("monitoring/fluent-bit", "Show Fix", "Workloads");
    const toast = workbench.toasts().filter({ hasText: "No manifest of the workspace defines it" });
    await toast.waitFor();
    await picture("live-patch");
    await toast.getByRole("button", { name: "Copy kubectl Command" }).click();
    const command = await until("the clipboard", async () => {
      const text = String(await workbench.page.evaluate("navigator.clipboard.readText()"));
      return text.startsWith("kubectl ") ? text : null;
    });
    assert.match(command, /--context test .*patch daemonset fluent-bit .*--type=json/);
    const env = {
      ...process.env,
      PATH: `${dirname(programPath("kubectl"))}:${process.env.PATH}`,
      KUBECONFIG: join(home.folder, ".kube/config"),
    };
    execFileSync("sh", ["-c", command], { env });
    const { spec } = await cluster.controlPlane.api.get("/apis/apps/v1/namespaces/monitoring/daemonsets/fluent-bit");
    assert.deepEqual(spec.template.spec.tolerations, [
      { key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule" },
    ]);
    await explorer.row("monitoring/fluent-bit", "Workloads").waitFor({ state: "detached" });
  });

  await test("Show Fix of an operator's object names the owner and offers no patch", async () => {
    await explorer.act("monitoring/node-problem-detector", "Show Fix", "Workloads");
    const toast = workbench.toasts().filter({ hasText: "It belongs to problem-operator" });
    await toast.waitFor();
    assert.equal(await toast.getByRole("button", { name: /Copy/ }).count(), 0);
    await workbench.dismissToasts();
  });

  await test("Show Fix of several candidates asks which", async () => {
    await explorer.act("monitoring/log-agent", "Show Fix", "Workloads");
    await workbench.quickInputRow("staging/log-agent.yaml").click();
    await workbench.editor("staging/log-agent.yaml").waitFor();
    await dismissFixes(session);
    await workbench.command("View: Close All Editors");
  });

  await test("Show Fix of a cause that several manifests hold: they stand below it", async () => {
    await explorer.unfold(/^rdma-1/, "Nodes");
    await explorer.unfold(/would not come back: .*root cause/, "Nodes");
    await explorer.act(/^node-exporterDaemonSet in monitoring/, "Show Fix", "Nodes");
    await workbench.tab("node-exporter.yaml").waitFor();
    await dismissFixes(session);
    await explorer.fold(/^rdma-1/, "Nodes");
    await workbench.command("View: Close All Editors");
  });
}

async function recovery({ test, explorer, workbench, cluster, picture }: LiveSession): Promise<void> {
  const { kubectl } = cluster.controlPlane;
  await test("Ordered Recovery ticks each step as the cluster shows it", async () => {
    await explorer.choose(/^rdma-2/, "Ordered Recovery", "Nodes");
    const shown = await workbench.webview('h2:has-text("Ordered recovery")');
    const step = (title: string, tick: string) =>
      shown.locator("li", { hasText: new RegExp(`${title} \\(${tick}\\)`) }).waitFor();
    await step("Drain the node", "open");
    await cluster.tell("rdma-2", "NodeNotSchedulable", "Node rdma-2 status is now: NodeNotSchedulable");
    await kubectl(["drain", "rdma-2", "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=60s"]);
    await step("Drain the node", "seen");
    await step("Restart the kubelet", "open");
    await picture("live-recovery-drained");
    await cluster.tell("rdma-2", "Starting", "Starting kubelet.");
    await step("Restart the kubelet", "seen");
    await step("Renew the network plugin's pod", "open");
    await kubectl([
      "delete",
      "pod",
      "-n",
      "kube-system",
      "--field-selector",
      "spec.nodeName=rdma-2",
      "-l",
      "app.kubernetes.io/name=pod-network",
    ]);
    await step("Renew the network plugin's pod", "seen");
    await kubectl(["uncordon", "rdma-2"]);
    await cluster.tell("rdma-2", "NodeSchedulable", "Node rdma-2 status is now: NodeSchedulable");
    await step("Uncordon the node", "seen");
    await picture("live-recovery");
    await workbench.command("View: Close All Editors");
  });
}

async function coverage(session: LiveSession): Promise<void> {
  const { test, workbench, home, picture } = session;
  await test("Show Coverage: the gap, a what-if, and the picture saved as SVG and PNG", async () => {
    await workbench.command("Taintwise: Show Coverage");
    const view = await workbench.webview("[role=grid] .cell");
    await view.locator(".cell.gap").first().waitFor();
    await view.locator("form input[aria-label]").fill("dedicated=web:NoSchedule");
    await view.locator("form select[aria-label=Class]").selectOption({ label: "no taints (2)" });
    await view.locator("button[type=submit]").click();
    await view.locator(".row.whatif .cell.bomb").first().waitFor();
    await picture("live-coverage");
    for (const [button, file] of [
      ["Save SVG", "coverage.svg"],
      ["Save PNG", "coverage.png"],
    ] as const) {
      await view.getByRole("button", { name: button }).click();
      await workbench.savePath(join(home.workspace, file));
      await until(file, () => existsSync(join(home.workspace, file)));
    }
    const svg = readFileSync(join(home.workspace, "coverage.svg"), "utf8");
    for (const part of ["<svg", "dedicated=rdma:NoSchedule", "rdma-device-plugin"]) assert.ok(svg.includes(part), part);
    const png = readFileSync(join(home.workspace, "coverage.png"));
    assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
    assert.ok(png.readUInt32BE(16) > 300, "its width");
  });

  await test("a class's name in the matrix leads to the triage of its first node, a gap to the fix", async () => {
    const view = await workbench.webview("[role=grid] .cell");
    await view.locator('.name:has-text("dedicated=rdma:NoSchedule")').first().click();
    await workbench.tab("Triage: rdma-1.md").waitFor();
    const again = await workbench.webview("[role=grid] .cell");
    await again.locator(".cell.gap[aria-label*='rdma-device-plugin']").first().click();
    await workbench.tab("rdma-device-plugin.yaml").waitFor();
    await dismissFixes(session);
  });
}
