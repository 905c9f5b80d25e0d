// Pictures in light, dark and high contrast, for people to look at; the test is that what they show is there.
import assert from "node:assert/strict";
import { writeSettings } from "../code-server.ts";
import { EXAMPLE, until, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

const AGENT = "manifests/log-agent.yaml";

/** By the class that the workbench has in each. */
const THEMES: readonly { readonly name: string; readonly theme: string; readonly marker: string }[] = [
  { name: "light", theme: "Default Light Modern", marker: "vs" },
  { name: "dark", theme: "Default Dark Modern", marker: "vs-dark" },
  { name: "contrast", theme: "Default High Contrast", marker: "hc-black" },
  { name: "contrast-light", theme: "Default High Contrast Light", marker: "hc-light" },
];

export function runThemeSuite(): Promise<Outcome> {
  return withEditor({ title: "themes", workspace: EXAMPLE }, async ({ workbench, home, test, picture }) => {
    for (const { name, theme, marker } of THEMES) {
      await test(`${theme}: squiggle, lens, problem and report are there`, async () => {
        writeSettings(home, { "workbench.colorTheme": theme });
        await workbench.reload();
        await workbench.page.locator(`.monaco-workbench.${marker}`).waitFor();
        await workbench.openFile(AGENT);
        await workbench.squiggles(AGENT, "warning").first().waitFor();
        await workbench.codeLenses(AGENT).first().waitFor();
        await workbench.openProblems();
        await workbench.problems().first().waitFor();
        await workbench.goTo(AGENT, 5, 3);
        await workbench.command("Taintwise: Explain This Workload");
        const report = await workbench.webview("h2");
        await report.locator("table").first().waitFor();
        await picture(`theme-${name}`);
        await workbench.press("Control+J");
        await workbench.command("View: Close All Editors");
      });

      await test(`${theme}: the walkthrough has its pictures`, async () => {
        // Beside the side bar there is no room for them.
        await workbench.command("View: Toggle Primary Side Bar Visibility");
        await workbench.commandAndPick("Welcome: Open Walkthrough...", "Get Started with Taintwise");
        await workbench.page.locator(".getting-started-step").first().waitFor();
        const drawn = async () => (await (await workbench.webview("svg text")).locator("svg text").count()) > 0;
        await until("the picture", drawn);
        // It fades in.
        await workbench.page.waitForTimeout(800);
        await picture(`theme-${name}-walkthrough`);
        await workbench.command("View: Close All Editors");
        await workbench.command("View: Toggle Primary Side Bar Visibility");
      });
    }

    await test("no script failed", async () => {
      assert.deepEqual(workbench.errors, []);
    });
  });
}
