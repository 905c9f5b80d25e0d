// The first five minutes: open the example, see the squiggle, fix it with the keyboard, save, look at the file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, until, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";
import { textOf } from "../workbench.ts";

const AGENT = "manifests/log-agent.yaml";

/** The file as it must be after the fix: one toleration more behind the last one, every other byte the same. */
function fixed(text: string): string {
  const last = "          operator: Exists\n";
  const added = [
    "        - key: dedicated",
    "          operator: Equal",
    "          value: rdma",
    "          effect: NoSchedule",
    "",
  ].join("\n");
  assert.equal(text.split(last).length, 2, "the example's log agent has one toleration");
  return text.replace(last, `${last}${added}`);
}

/** 1-based line of the workload's name, and a column inside it. */
function namePlace(text: string): readonly [number, number] {
  return [text.split("\n").indexOf("  name: log-agent") + 1, 10];
}

export function runExampleSuite(): Promise<Outcome> {
  return withEditor({ title: "the example, with the keyboard", workspace: EXAMPLE }, async (session) => {
    const { workbench, test, onDisk, picture } = session;
    const original = readFileSync(join(EXAMPLE, AGENT), "utf8");
    const [line, column] = namePlace(original);

    await test("the example brings its cluster along, and the status bar names it", async () => {
      await workbench.openFile(AGENT);
      // Recorded months ago: the age is told, and that it is old.
      await workbench
        .status()
        .filter({ hasText: /cluster · \d+ d/ })
        .waitFor();
      assert.match(
        (await workbench.status().getAttribute("aria-label")) ?? "",
        /^Taintwise cluster: cluster · \d+ d, old/,
      );
    });

    await test("the gap and the time bomb are underlined, and nothing else", async () => {
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      for (const kind of ["error", "info", "hint"] as const) {
        assert.equal(await workbench.squiggles(AGENT, kind).count(), 0, kind);
      }
    });

    await test("a lens tells where it runs and what blocks it", async () => {
      const lens = workbench
        .codeLenses(AGENT)
        .filter({ hasText: /runs on \d+ of \d+ nodes/ })
        .first();
      await lens.waitFor();
      assert.match(await textOf(lens), /blocked by dedicated=rdma:NoSchedule/);
      await picture("example-squiggle");
    });

    await test("the Problems panel names the nodes' taint, the code and the place", async () => {
      await workbench.openProblems();
      await workbench.filterProblems("log-agent.yaml");
      for (const code of ["toleration-gap", "toleration-time-bomb"]) {
        const row = workbench
          .problems()
          .filter({ hasText: code })

          .first();
        await row.waitFor();
        const text = await textOf(row);
        assert.match(text, /dedicated=rdma:NoSchedule/);
        assert.match(text, /taintwise/);
      }
      await picture("example-problems");
      await workbench.press("Control+J");
    });

    await test("completion offers the taint that is not tolerated yet", async () => {
      const key = original.split("\n").findIndex((text) => text.includes("- key: node-role")) + 1;
      await workbench.goTo(AGENT, key, 16);
      await workbench.press("Shift+End");
      await workbench.press("Delete");
      await workbench.type(" ");
      await workbench.press("Control+Space");
      const widget = workbench.page.locator(".suggest-widget.visible");
      await widget.locator(".monaco-list-row").filter({ hasText: "dedicated" }).first().waitFor();
      await picture("example-completion");
      await workbench.press("Escape");
      await workbench.command("File: Revert File");
      await workbench.goTo(AGENT, line, column);
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      await workbench.codeLenses(AGENT).filter({ hasText: "blocked by" }).first().waitFor();
    });

    await test("Ctrl+. adds the exact toleration, and the squiggle goes", async () => {
      const offered = await workbench.openQuickFixes(AGENT, line, column);
      assert.ok(offered.length >= 2, offered.join(" | "));
      await picture("example-lightbulb");
      await workbench.press("Escape");
      await workbench.quickFix(AGENT, line, column, /dedicated=rdma:NoSchedule/);
      await workbench.squiggles(AGENT, "warning").first().waitFor({ state: "detached" });
      assert.equal(onDisk(AGENT), original);
    });

    await test("after saving, the file on disk is the expected one to the byte", async () => {
      await workbench.save(AGENT);
      assert.equal(onDisk(AGENT), fixed(original));
      await picture("example-fixed");
    });

    await test("undo brings the squiggle back, redo takes it away", async () => {
      await workbench.focus(AGENT);
      await workbench.press("Control+Z");
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      await workbench.press("Control+Shift+Z");
      await workbench.squiggles(AGENT, "warning").first().waitFor({ state: "detached" });
    });

    await test("no other problem appeared, no message popped up, no script failed", async () => {
      await workbench.openProblems();
      await until(
        "the row to go",
        async () => (await workbench.problems().filter({ hasText: "log-agent" }).count()) === 0,
      );
      assert.deepEqual(await workbench.toasts().allInnerTexts(), []);
      assert.deepEqual(workbench.errors, []);
    });
  });
}
