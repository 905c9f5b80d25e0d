// A workspace of two folders, each with its own taintwise.yaml, cluster and settings: neither hears of the other's.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

/** The workspace file that opens both folders. */
const BOTH = "both.code-workspace";

/** A DaemonSet that should run everywhere. */
const agent = (name: string) => `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ${name}, namespace: logging}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      containers: [{name: agent, image: agent}]
      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]
`;

/** Two nodes, the second with the taint (none where it is empty). */
const cluster = (taint: string) => `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: plain, labels: {kubernetes.io/os: linux}}}
- apiVersion: v1
  kind: Node
  metadata: {name: special, labels: {kubernetes.io/os: linux}}
  spec: {taints: [${taint === "" ? "" : `{key: team, value: ${taint}, effect: NoSchedule}`}]}
- {apiVersion: v1, kind: PodList, items: []}
`;

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function workspaceFile(...folders: readonly string[]): string {
  return JSON.stringify({ folders: folders.map((path) => ({ path })) });
}

function twoFolders(): string {
  const folder = mkdtempSync(join(tmpdir(), "tw-folders-"));
  for (const name of ["pay", "search"]) {
    write(folder, `${name}/taintwise.yaml`, `clusters:\n  - {name: ${name}-prod, file: cluster.yaml}\n`);
    write(folder, `${name}/cluster.yaml`, cluster(name));
    write(folder, `${name}/${name}-agent.yaml`, agent(`${name}-agent`));
  }
  write(folder, BOTH, workspaceFile("pay", "search"));
  return folder;
}

export async function runFolderSuite(): Promise<Outcome> {
  const workspace = twoFolders();
  try {
    return await withEditor(
      { title: "two folders", workspace, open: BOTH },
      async ({ workbench, home, test, picture }) => {
        /** The gaps that the panel lists with a word, the taints that explain them not counted. */
        const gaps = () => workbench.problems().filter({ hasText: "No pod of this" });

        await test("each is held against its own cluster, and against no other", async () => {
          for (const name of ["pay", "search"]) {
            await workbench.openFile(`${name}-agent.yaml`);
            await workbench.squiggles(`${name}-agent.yaml`, "warning").first().waitFor();
          }
          await workbench.status().filter({ hasText: "2 clusters" }).waitFor();
          await workbench.openProblems();
          for (const name of ["pay", "search"]) {
            await workbench.filterProblems(`team=${name}`);
            await until(`one gap of ${name}`, async () => {
              const [first = "", ...more] = await gaps().allInnerTexts();
              return more.length === 0 && first.includes(`team=${name}:NoSchedule`);
            });
          }
          await workbench.filterProblems("No pod of this");
          await until("both gaps and no third", async () => (await gaps().count()) === 2);
          await workbench.filterProblems("");
          await picture("two-folders");
        });

        await test("a change of one cluster file leaves the other folder's findings", async () => {
          write(home.workspace, "search/cluster.yaml", cluster(""));
          await workbench.openFile("search-agent.yaml");
          await workbench.squiggles("search-agent.yaml", "warning").first().waitFor({ state: "detached" });
          await workbench.openFile("pay-agent.yaml");
          await workbench.squiggles("pay-agent.yaml", "warning").first().waitFor();
        });

        await test("a folder's own setting counts in that folder alone", async () => {
          write(home.workspace, "search/cluster.yaml", cluster("search"));
          write(
            home.workspace,
            "pay/.vscode/settings.json",
            JSON.stringify({ "taintwise.severity.toleration-gap": "off" }),
          );
          await workbench.openFile("pay-agent.yaml");
          await workbench.squiggles("pay-agent.yaml", "warning").first().waitFor({ state: "detached" });
          await workbench.openFile("search-agent.yaml");
          await workbench.squiggles("search-agent.yaml", "warning").first().waitFor();
        });

        await test("a folder that is removed takes its findings and its cluster along", async () => {
          await workbench.command("View: Close All Editors");
          write(home.workspace, BOTH, workspaceFile("pay"));
          await workbench.status().filter({ hasText: "pay-prod" }).waitFor();
          await workbench.openProblems();
          await workbench.filterProblems("team=search");
          await until("no finding of the folder", async () => (await gaps().count()) === 0);
        });
      },
    );
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
