// LSP layer: diagnostics that the client pulls.
import type { Connection } from "vscode-languageserver";
import { answer, orThrow, type ServerLog } from "./boundary.ts";
import type { Publisher } from "./diagnostics/publisher.ts";

/** Answers textDocument/diagnostic and workspace/diagnostic; `publisher` is null before the client introduced itself. */
export function registerPulls(connection: Connection, log: ServerLog, publisher: () => Publisher | null): void {
  const { languages } = connection;
  languages.diagnostics.on((params, token) =>
    answer(
      "diagnostics",
      log,
      token,
      { kind: "full" as const, items: [] },
      () =>
        publisher()?.pull(params.textDocument.uri, params.previousResultId) ?? {
          kind: "full" as const,
          items: [],
        },
    ).then(orThrow),
  );
  languages.diagnostics.onWorkspace((params, token, _progress, partial) =>
    answer(
      "workspace diagnostics",
      log,
      token,
      { items: [] },
      () =>
        publisher()?.pullWorkspace(
          params.previousResultIds,
          token,
          partial === undefined ? null : (part) => partial.report(part),
        ) ?? { items: [] },
    ).then(orThrow),
  );
}
