// Client: the commands that change a cluster. Whether they may is the server's to say, which knows setting and trust.
import { commands, type Disposable, type ExtensionContext } from "vscode";
import { showRights } from "../commands/rights.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { applyFix } from "./apply-fix.ts";
import { ChangeDocuments } from "./change-documents.ts";
import { changeNodes } from "./change-nodes.ts";

/** Registers the commands; disposed together. */
export function registerChanges(
  context: ExtensionContext,
  server: LanguageServer,
  reports: ReportDocuments,
): Disposable[] {
  const documents = new ChangeDocuments();
  const register = (command: string, run: (argument: unknown) => unknown) => commands.registerCommand(command, run);
  return [
    documents,
    register("taintwise.applyFix", (row) => applyFix(server, reports, documents, row)),
    register("taintwise.cordonNode", (row) => changeNodes(server, reports, "cordon", row)),
    register("taintwise.uncordonNode", (row) => changeNodes(server, reports, "uncordon", row)),
    register("taintwise.taintNode", (row) => changeNodes(server, reports, "taint", row)),
    register("taintwise.showRightsToChange", () => showRights(context, "changes")),
  ];
}
