// LSP layer: the editor's questions about a document, tied to the parts that answer them.
import type { CancellationToken, Connection } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { JudgeMemo } from "../features/diagnostics/judge.ts";
import { answer, type ServerLog } from "./boundary.ts";
import { taintLocation } from "./clusters/taint-place.ts";
import { codeActions } from "./code-actions.ts";
import type { Elsewhere } from "./diagnostics/elsewhere.ts";
import type { ManifestSource } from "./documents/all-manifests.ts";
import type { AnalysedDocument } from "./documents/analysed.ts";
import { answerReferences } from "./references/references.ts";
import {
  answerCodeLens,
  answerCompletion,
  answerDefinition,
  answerHover,
  answerInlayHints,
  answerSymbols,
} from "./requests.ts";
import { answerWorkspaceSymbols } from "./workspace-symbols.ts";

export interface FeatureSurroundings {
  readonly log: ServerLog;
  readonly memo: JudgeMemo;
  readonly elsewhere: Elsewhere;
  /** The document as it is now; null when it is not open here. */
  readonly analysed: (uri: string) => AnalysedDocument | null;
  readonly openDocument: (uri: string) => TextDocument | null;
  readonly manifests: () => ManifestSource;
  /** The commands that the client can run. */
  readonly commands: () => ReadonlySet<string>;
  readonly snippets: () => boolean;
  /** Whether the client can show a node that no file holds. */
  readonly nodeViews: () => boolean;
}

/** Registers hover, completion, lenses and their like. */
export function registerFeatures(connection: Connection, around: FeatureSurroundings): void {
  const about = <T>(
    what: string,
    uri: string,
    token: CancellationToken,
    nothing: T,
    run: (document: AnalysedDocument) => T,
  ) =>
    answer(what, around.log, token, nothing, () => {
      const document = around.analysed(uri);
      return document === null || document.leftAlone !== null ? nothing : run(document);
    });
  connection.onCodeAction((params, token) =>
    about("code actions", params.textDocument.uri, token, [], (document) =>
      codeActions(document, params, {
        commands: around.commands(),
        openDocument: (other) => around.openDocument(other),
      }),
    ),
  );
  connection.onHover(({ textDocument: { uri }, position }, token) =>
    about("hover", uri, token, null, (document) => answerHover(document, position, around.memo)),
  );
  connection.onCompletion(({ textDocument: { uri }, position }, token) =>
    about("completion", uri, token, [], (document) =>
      answerCompletion(document, position, around.memo, around.snippets()),
    ),
  );
  connection.onCodeLens(({ textDocument: { uri } }, token) =>
    about("code lenses", uri, token, [], (document) => answerCodeLens(document, around.memo, around.commands())),
  );
  connection.languages.inlayHint.on(({ textDocument: { uri } }, token) =>
    about("inlay hints", uri, token, [], (document) => answerInlayHints(document, around.memo)),
  );
  connection.onDocumentSymbol(({ textDocument: { uri } }, token) => about("outline", uri, token, [], answerSymbols));
  connection.onDefinition(({ textDocument: { uri }, position }, token) =>
    about("definition", uri, token, [], (document) => {
      const { clusters } = document.folder;
      const places = { elsewhere: around.elsewhere, clusters, nodeViews: around.nodeViews() };
      return answerDefinition(document, position, around.memo, (place) => taintLocation(place, places));
    }),
  );
  connection.onReferences(({ textDocument: { uri }, position }, token) =>
    answer("references", around.log, token, [], () => {
      const document = around.analysed(uri);
      return document === null ? [] : answerReferences(document, position, around.memo, around.manifests(), token);
    }),
  );
  connection.onWorkspaceSymbol(({ query }, token) =>
    answer("workspace symbols", around.log, token, [], () => {
      const { open, files } = around.manifests();
      return answerWorkspaceSymbols(query, open, [...files]);
    }),
  );
}
