// A cluster with more nodes than a page of rows: the last row says how many are left and fetches them.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateCluster } from "../../bench/cluster-generator.ts";
import { ExplorerPane } from "../explorer-pane.ts";
import { EXAMPLE, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

const SIZE = { seed: 3, nodes: 1_200, daemonSets: 10, taintSets: 4, selectorKeys: 5 };

export function runManyNodesSuite(): Promise<Outcome> {
  const { nodes, daemonSets } = generateCluster(SIZE);
  const list = { apiVersion: "v1", kind: "List", items: [...nodes, ...daemonSets] };
  return withEditor(
    {
      title: "more nodes than a page",
      workspace: join(EXAMPLE, "manifests"),
      settings: { "taintwise.cluster.file": "many.json" },
      prepare: ({ workspace }) => writeFileSync(join(workspace, "many.json"), JSON.stringify(list)),
    },
    async ({ workbench, test, picture }) => {
      const explorer = new ExplorerPane(workbench);

      await test("the last row says how many nodes are left, and fetches them", async () => {
        await explorer.open();
        await explorer.title("Nodes", "Group Nodes");
        await workbench.quickInputRow("In one list").click();
        // The message pushes the rows down once the nodes were judged.
        await explorer.message("unknown").waitFor();
        await explorer.goToEnd(/^700 more/, "Nodes");
        await explorer.row(/^700 more/, "Nodes").click();
        await explorer.goToEnd(/^200 more/, "Nodes");
        await picture("explorer-more");
        await explorer.goToEnd(/^200 more/, "Nodes");
        await explorer.row(/^200 more/, "Nodes").click();
        await explorer.row(/^200 more/, "Nodes").waitFor({ state: "detached" });
        await explorer.goToEnd(/^node-01199/, "Nodes");
        assert.equal(await explorer.row(/^\d+ more/, "Nodes").count(), 0);
      });

      await test("no script failed", async () => assert.deepEqual(workbench.errors, []));
    },
  );
}
