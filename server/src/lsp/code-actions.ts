// LSP layer: fixes as code actions. Edits carry the exact version of the text they were computed for.
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as ProtocolDiagnostic,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { ClientCommand } from "../../../shared/src/protocol.ts";
import { WORKSPACE_FILE } from "../config/workspace.ts";
import type { Diagnostic, Fix } from "../features/diagnostic.ts";
import { fixAll as fixAllEdits } from "../features/fixes/compose.ts";
import { expectedFix, silenceDocumentFix, silenceFix } from "../features/fixes/silence.ts";
import { lineIndex } from "../text/line-index.ts";
import { SOURCE, toProtocolDiagnostic } from "./convert/diagnostic.ts";
import { toEdit, toSpan } from "./convert/range.ts";
import type { AnalysedDocument } from "./documents/analysed.ts";
import { uriOf } from "./documents/uri.ts";

/** Fixes that never change scheduling beyond what was meant. */
const FIX_ALL_KIND = `${CodeActionKind.SourceFixAll}.${SOURCE}`;

/** The kinds this server offers, as it tells the client. */
export const ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL_KIND];

/** What actions need to know of the client. */
export interface ActionSurroundings {
  /** Those of ClientCommand that the client can run. */
  readonly commands: ReadonlySet<string>;
  /** Another document as the client has it now; null when it is not open. */
  readonly openDocument: (uri: string) => TextDocument | null;
}

/** The actions for a range. */
export function codeActions(
  document: AnalysedDocument,
  params: CodeActionParams,
  surroundings: ActionSurroundings,
): CodeAction[] {
  const { only } = params.context;
  const wants = (kind: string): boolean =>
    only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`));
  const actions: CodeAction[] = [];
  if (wants(FIX_ALL_KIND) && only !== undefined) actions.push(...fixAll(document));
  if (wants(CodeActionKind.QuickFix)) actions.push(...quickFixes(document, params, surroundings));
  return actions;
}

function quickFixes(
  document: AnalysedDocument,
  params: CodeActionParams,
  { commands, openDocument }: ActionSurroundings,
): CodeAction[] {
  const { start, end } = toSpan(params.range, document.lines);
  const here = document.diagnostics.filter(({ span }) => span.start <= end && span.end >= start);
  const around = { uri: document.uri, lines: document.lines, elsewhere: () => null };
  const actions = here.flatMap((diagnostic) => {
    const shown = matching(params.context.diagnostics, toProtocolDiagnostic(diagnostic, around));
    return [
      ...diagnostic.fixes.map((fix) => fixAction(document, fix, shown)),
      ...silenceActions(document, diagnostic, shown),
      ...expectedAction(document, diagnostic, shown, openDocument),
    ];
  });
  return [...distinct(actions), ...patchAction(document, here, commands)];
}

/** Two diagnostics may offer the same repair; it is shown once. */
function distinct(actions: readonly CodeAction[]): CodeAction[] {
  const seen = new Map<string, CodeAction>();
  for (const action of actions) {
    const key = `${action.title}\0${JSON.stringify(action.edit)}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, action);
    else known.diagnostics = [...(known.diagnostics ?? []), ...(action.diagnostics ?? [])];
  }
  return [...seen.values()];
}

function fixAction(document: AnalysedDocument, fix: Fix, diagnostics: ProtocolDiagnostic[]): CodeAction {
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics,
    ...(fix.preferred ? { isPreferred: true } : {}),
    edit: workspaceEdit(document, fix.edits),
  };
}

function silenceActions(
  document: AnalysedDocument,
  diagnostic: Diagnostic,
  diagnostics: ProtocolDiagnostic[],
): CodeAction[] {
  const { text, file } = document;
  const { code, span } = diagnostic;
  const own = file.documents.find(({ yaml }) => yaml.span.start <= span.start && span.start < yaml.span.end);
  const start = own?.yaml.root?.span.start ?? own?.yaml.span.start ?? 0;
  return [silenceFix(text, span.start, code), silenceDocumentFix(text, start, code)]
    .filter((fix) => fix !== null)
    .map((fix) => fixAction(document, fix, diagnostics));
}

/** An entry of the workspace file, open or on the disk; the file is made where there is none yet. */
function expectedAction(
  document: AnalysedDocument,
  diagnostic: Diagnostic,
  diagnostics: ProtocolDiagnostic[],
  openDocument: ActionSurroundings["openDocument"],
): CodeAction[] {
  const { folder } = document;
  if (folder.path === null) return [];
  const usual = uriOf(`${folder.path}/${WORKSPACE_FILE}`);
  const open = openDocument(usual);
  const text = open?.getText() ?? folder.workspaceFile?.text ?? "";
  const fix = expectedFix(diagnostic, text);
  if (fix === null) return [];
  const uri = open?.uri ?? usual;
  const lines = lineIndex(text);
  const edits = fix.edits.map((edit) => toEdit(edit, lines));
  const change = { textDocument: { uri, version: open?.version ?? null }, edits };
  const create = { kind: "create", uri, options: { ignoreIfExists: true } } as const;
  const documentChanges = folder.workspaceFile === null && open === null ? [create, change] : [change];
  return [{ title: fix.title, kind: CodeActionKind.QuickFix, diagnostics, edit: { documentChanges } }];
}

/** What a live object needs, where the manifest lacks a toleration. */
function patchAction(
  document: AnalysedDocument,
  here: readonly Diagnostic[],
  commands: ReadonlySet<string>,
): CodeAction[] {
  const gap = here.find((diagnostic) => diagnostic.taints.length > 0 && diagnostic.fixes.length > 0);
  if (gap === undefined || !commands.has(ClientCommand.copyPatch)) return [];
  const place = { uri: document.uri, position: document.lines.positionAt(gap.span.start) };
  const title = "Copy as kubectl patch";
  return [
    { title, kind: CodeActionKind.QuickFix, command: { title, command: ClientCommand.copyPatch, arguments: [place] } },
  ];
}

/** Every safe fix of the file in one edit. */
function fixAll(document: AnalysedDocument): CodeAction[] {
  const edits = fixAllEdits(document.diagnostics);
  if (edits.length === 0) return [];
  return [{ title: "Apply every safe fix of Taintwise", kind: FIX_ALL_KIND, edit: workspaceEdit(document, edits) }];
}

function workspaceEdit(document: AnalysedDocument, edits: Fix["edits"]): WorkspaceEdit {
  const { uri, version, lines } = document;
  return { documentChanges: [{ textDocument: { uri, version }, edits: edits.map((edit) => toEdit(edit, lines)) }] };
}

/** The client's own objects for the same problem, so that it can tie the action to its squiggle. */
function matching(shown: readonly ProtocolDiagnostic[], own: ProtocolDiagnostic): ProtocolDiagnostic[] {
  return shown.filter(
    (each) =>
      each.source === SOURCE &&
      each.code === own.code &&
      each.range.start.line === own.range.start.line &&
      each.range.start.character === own.range.start.character,
  );
}
