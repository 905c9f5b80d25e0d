// A workspace that is not trusted: manifests are analysed, the cluster that its settings name is not read, and trust takes
// effect without a reload.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXAMPLE, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

const INVALID = `apiVersion: v1
kind: Pod
metadata: {name: misspelt}
spec:
  tolerations:
    - {key: dedicated, operator: Equals, value: rdma, effect: NoSchedule}
  containers: [{name: a, image: a}]
`;

/** A workspace whose settings name a cluster, with a manifest that is wrong by itself and one that is wrong in the cluster. */
function suspiciousWorkspace(): string {
  const folder = mkdtempSync(join(tmpdir(), "tw-trust-"));
  cpSync(join(EXAMPLE, "cluster.yaml"), join(folder, "elsewhere.yaml"));
  cpSync(join(EXAMPLE, "manifests/log-agent.yaml"), join(folder, "log-agent.yaml"));
  writeFileSync(join(folder, "misspelt.yaml"), INVALID);
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "taintwise.cluster.file": "elsewhere.yaml" }));
  return folder;
}

export async function runTrustSuite(): Promise<Outcome> {
  const workspace = suspiciousWorkspace();
  try {
    return await withEditor(
      { title: "a workspace that is not trusted", workspace, askTrust: true },
      async ({ workbench, test, picture }) => {
        await test("is analysed, without the cluster that its settings name", async () => {
          await workbench.openFile("misspelt.yaml");
          await workbench.squiggles("misspelt.yaml", "error").first().waitFor();
          await workbench.status().filter({ hasText: "no cluster" }).waitFor();
          await picture("untrusted");
        });

        await test("uses it once the workspace is trusted, without a reload", async () => {
          await workbench.openFile("log-agent.yaml");
          assert.equal(await workbench.squiggles("log-agent.yaml", "warning").count(), 0);
          await workbench.command("Workspaces: Manage Workspace Trust");
          await workbench.page.getByRole("button", { name: "Trust", exact: true }).first().click();
          await workbench
            .status()
            .filter({ hasText: /elsewhere · \d/ })
            .waitFor();
          await workbench.openFile("log-agent.yaml");
          await workbench.squiggles("log-agent.yaml", "warning").first().waitFor();
        });
      },
    );
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
