// Pictures in light, dark and high contrast, for people to look at; the test is that what they show is there.
import assert from "node:assert/strict";
import { EXAMPLE, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

const AGENT = "manifests/log-agent.yaml";

const THEMES: Readonly<Record<string, string>> = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  contrast: "Default High Contrast",
  "contrast-light": "Default High Contrast Light",
};

export async function runThemeSuite(): Promise<Outcome> {
  const total = { passed: 0, failed: 0 };
  for (const [name, theme] of Object.entries(THEMES)) {
    const options = { title: `theme: ${theme}`, workspace: EXAMPLE, settings: { "workbench.colorTheme": theme } };
    const outcome = await withEditor(options, async ({ workbench, test, picture }) => {
      await test("squiggle, lens, problem and report are readable", async () => {
        await workbench.openFile(AGENT);
        await workbench.squiggles(AGENT, "warning").first().waitFor();
        await workbench.codeLenses(AGENT).first().waitFor();
        await workbench.openProblems();
        await workbench.problems().first().waitFor();
        await workbench.goTo(AGENT, 5, 3);
        await workbench.command("Taintwise: Explain This Workload");
        const report = await workbench.webview("h1");
        await report.locator("table").first().waitFor();
        await picture(`theme-${name}`);
      });
      await test("the walkthrough's pictures follow the theme", async () => {
        await workbench.command("View: Close All Editors");
        await workbench.command("Welcome: Open Walkthrough…");
        await workbench.quickInputRow("Get Started with Taintwise").click();
        await workbench.page.locator(".getting-started-step").first().waitFor();
        await picture(`theme-${name}-walkthrough`);
        assert.deepEqual(workbench.errors, []);
      });
    });
    total.passed += outcome.passed;
    total.failed += outcome.failed;
  }
  return total;
}
