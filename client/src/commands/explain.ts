// Client: the commands about one workload: "Explain This Workload" and "Copy as kubectl Patch".
import { env, ProgressLocation, window } from "vscode";
import { type DocumentPlace, Explain, KubectlPatch } from "../../../shared/src/protocol.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { showFailure } from "../messages.ts";
import type { ReportDocuments } from "../report/report-documents.ts";
import { texts } from "../texts.ts";
import { placeOrCursor } from "./place.ts";

/** Shows the report about the workload at the argument's place or the cursor; asks where there are several. */
export async function explainWorkload(
  server: LanguageServer,
  reports: ReportDocuments,
  argument: unknown,
): Promise<void> {
  const place = placeOrCursor(argument);
  if (!place) {
    void window.showInformationMessage(texts.explain.noEditor());
    return;
  }
  try {
    await explainAt(server, reports, place);
  } catch (error) {
    showFailure(error);
  }
}

async function explainAt(server: LanguageServer, reports: ReportDocuments, place: DocumentPlace): Promise<void> {
  const result = await window.withProgress({ location: ProgressLocation.Window, title: texts.explain.working() }, () =>
    server.request(Explain, place),
  );
  switch (result.kind) {
    case "report":
      await reports.show(result.report);
      return;
    case "none":
      void window.showInformationMessage(result.reason);
      return;
    case "choose": {
      const picked = await window.showQuickPick(
        result.workloads.map((workload) => ({ label: workload.label, description: workload.detail, workload })),
        { placeHolder: texts.explain.choose(), matchOnDescription: true },
      );
      if (picked) await explainAt(server, reports, { uri: place.uri, position: picked.workload.position });
    }
  }
}

/** Puts the kubectl command that adds what the workload lacks on the clipboard. */
export async function copyKubectlPatch(server: LanguageServer, argument: unknown): Promise<void> {
  const place = placeOrCursor(argument);
  if (!place) {
    void window.showInformationMessage(texts.explain.noEditor());
    return;
  }
  try {
    const result = await server.request(KubectlPatch, place);
    if (result.kind === "none") {
      void window.showInformationMessage(result.reason);
      return;
    }
    await env.clipboard.writeText(result.command);
    void window.showInformationMessage(texts.patch.copied(result.title));
  } catch (error) {
    showFailure(error);
  }
}
