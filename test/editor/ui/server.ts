// The language server is killed from outside: it comes back, the third time without the document that was at hand, and
// after the fifth time in three minutes it stays down and says so.
import assert from "node:assert/strict";
import { EXAMPLE, languageServers, until, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

const AGENT = "manifests/log-agent.yaml";

export function runServerSuite(): Promise<Outcome> {
  return withEditor({ title: "the server, killed", workspace: EXAMPLE }, async ({ workbench, home, test, picture }) => {
    /** Kills the one process and resolves with the one that takes its place, or null. */
    const kill = async (comesBack: boolean): Promise<number | null> => {
      const [pid, ...others] = await until("one server", () =>
        languageServers(home).length === 1 ? languageServers(home) : null,
      );
      assert.deepEqual(others, []);
      assert.ok(pid !== undefined);
      process.kill(pid, "SIGKILL");
      await until("its end", () => !languageServers(home).includes(pid));
      if (!comesBack) return null;
      const [next] = await until("another server", () =>
        languageServers(home).length > 0 ? languageServers(home) : null,
      );
      return next ?? null;
    };

    await test("after a kill it is back: one message, one process, one finding, the same cluster", async () => {
      await workbench.openFile(AGENT);
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      assert.notEqual(await kill(true), null);
      await workbench.toasts().filter({ hasText: "stopped unexpectedly and was started again" }).waitFor();
      await workbench
        .status()
        .filter({ hasText: /cluster · \d/ })
        .waitFor();
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      await workbench.openProblems();
      await workbench.filterProblems("log agent");
      const gaps = workbench.problems().filter({ hasText: "this log agent" });
      await gaps.first().waitFor();
      assert.equal(await gaps.count(), 1);
      await workbench.press("Control+J");
      assert.equal(languageServers(home).length, 1);
      await workbench.dismissToasts();
    });

    await test("at the third crash with the same document at hand it is left out until it is saved", async () => {
      for (let crash = 2; crash <= 3; crash++) assert.notEqual(await kill(true), null);
      await workbench.toasts().filter({ hasText: "left out until you save it" }).waitFor();
      await workbench.squiggles(AGENT, "warning").first().waitFor({ state: "detached" });
      await workbench.squiggles(AGENT, "info").first().waitFor();
      await workbench.goTo(AGENT, 1, 1);
      await workbench.type("\n");
      await workbench.save(AGENT);
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      await workbench.dismissToasts();
    });

    await test("at the fifth crash in three minutes it stays down and offers the log and a restart", async () => {
      assert.notEqual(await kill(true), null);
      await kill(false);
      const toast = workbench.toasts().filter({ hasText: "crashed 5 times in three minutes" });
      await toast.waitFor();
      await toast.getByRole("button", { name: "Show Log" }).waitFor();
      await workbench.status().filter({ hasText: "server stopped" }).waitFor();
      await picture("server-stopped");
      assert.deepEqual(languageServers(home), []);
      // No finding of a process that is gone.
      await workbench.squiggles(AGENT, "warning").first().waitFor({ state: "detached" });
    });

    await test("the status bar starts it again", async () => {
      await workbench.dismissToasts();
      await workbench.status().click();
      await workbench.squiggles(AGENT, "warning").first().waitFor();
      await workbench
        .status()
        .filter({ hasText: /cluster · \d/ })
        .waitFor();
      assert.equal(languageServers(home).length, 1);
    });
  });
}
