// LSP layer: the editor's questions about a document, answered by the features and converted.
import {
  type CodeLens,
  type CompletionItem,
  CompletionItemKind,
  type DocumentSymbol,
  type Hover,
  type InlayHint,
  InlayHintKind,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type Position,
  SymbolKind,
} from "vscode-languageserver";
import { ClientCommand } from "../../../shared/src/protocol.ts";
import type { JudgeMemo } from "../features/diagnostics/judge.ts";
import { codeLenses } from "../features/editor/code-lens.ts";
import { completions } from "../features/editor/completion.ts";
import type { CompletionEntry } from "../features/editor/completion-draft.ts";
import type { EditorContext } from "../features/editor/context.ts";
import { type TaintPlace, taintsAt } from "../features/editor/definition.ts";
import { hover } from "../features/editor/hover.ts";
import { impliedHints } from "../features/editor/inlay-hints.ts";
import { type OutlineEntry, outline } from "../features/editor/symbols.ts";
import type { LineIndex } from "../text/line-index.ts";
import { toRange } from "./convert/range.ts";
import type { AnalysedDocument } from "./documents/analysed.ts";
import { contextOf, openManifest } from "./documents/manifest-text.ts";

/** The features' view of a document. */
function editorContext(document: AnalysedDocument, memo: JudgeMemo): EditorContext {
  return contextOf(openManifest(document), memo);
}

/** textDocument/hover. */
export function answerHover(document: AnalysedDocument, position: Position, memo: JudgeMemo): Hover | null {
  const { lines } = document;
  const answer = hover(editorContext(document, memo), lines.offsetAt(position));
  if (answer === null) return null;
  return { contents: { kind: MarkupKind.Markdown, value: answer.markdown }, range: toRange(answer.span, lines) };
}

const COMPLETION_KIND: Readonly<Record<CompletionEntry["kind"], CompletionItemKind>> = {
  toleration: CompletionItemKind.Struct,
  key: CompletionItemKind.Constant,
  value: CompletionItemKind.Value,
  operator: CompletionItemKind.Operator,
  effect: CompletionItemKind.EnumMember,
  label: CompletionItemKind.Property,
  resource: CompletionItemKind.Unit,
  field: CompletionItemKind.Field,
};

/** textDocument/completion. `snippets`: the client can fill in marks; entries that need it are left out else. */
export function answerCompletion(
  document: AnalysedDocument,
  position: Position,
  memo: JudgeMemo,
  snippets: boolean,
): CompletionItem[] {
  const { lines } = document;
  return completions(editorContext(document, memo), lines.offsetAt(position)).flatMap((entry) => {
    if (entry.snippet && !snippets) return [];
    return [
      {
        label: entry.label,
        kind: COMPLETION_KIND[entry.kind],
        detail: entry.detail,
        sortText: String(entry.order).padStart(5, "0"),
        filterText: entry.label,
        insertTextFormat: entry.snippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        textEdit: { range: toRange(entry.span, lines), newText: entry.newText },
      },
    ];
  });
}

/** textDocument/codeLens; without a command where the client (`commands`) cannot run it. */
export function answerCodeLens(document: AnalysedDocument, memo: JudgeMemo, commands: ReadonlySet<string>): CodeLens[] {
  const { uri, lines, folder } = document;
  if (!folder.settings.codeLens.enabled || document.leftAlone !== null) return [];
  return codeLenses(editorContext(document, memo)).map(({ span, title }) => {
    const range = toRange(span, lines);
    const runnable = commands.has(ClientCommand.explain);
    const place = { uri, position: range.start };
    return {
      range,
      command: runnable ? { title, command: ClientCommand.explain, arguments: [place] } : { title, command: "" },
    };
  });
}

/** textDocument/inlayHint; nothing unless the folder's settings ask for it. */
export function answerInlayHints(document: AnalysedDocument, memo: JudgeMemo): InlayHint[] {
  const { lines, folder } = document;
  if (!folder.settings.inlayHints.impliedTolerations || document.leftAlone !== null) return [];
  return impliedHints(editorContext(document, memo)).map(({ offset, label, tooltip }) => ({
    position: lines.positionAt(offset),
    label,
    kind: InlayHintKind.Parameter,
    tooltip: { kind: MarkupKind.Markdown, value: tooltip },
  }));
}

const SYMBOL_KIND: Readonly<Record<OutlineEntry["kind"], SymbolKind>> = {
  workload: SymbolKind.Class,
  toleration: SymbolKind.Key,
  selector: SymbolKind.Property,
};

/** textDocument/documentSymbol. */
export function answerSymbols({ file, lines }: AnalysedDocument): DocumentSymbol[] {
  return outline(file).map((entry) => toSymbol(entry, lines));
}

function toSymbol(entry: OutlineEntry, lines: LineIndex): DocumentSymbol {
  return {
    name: entry.name,
    detail: entry.detail,
    kind: SYMBOL_KIND[entry.kind],
    range: toRange(entry.span, lines),
    selectionRange: toRange(entry.nameSpan, lines),
    children: entry.children.map((child) => toSymbol(child, lines)),
  };
}

/** The taints that the toleration at the position matches, where they were read or in a view of their node. */
export function answerDefinition(
  document: AnalysedDocument,
  position: Position,
  memo: JudgeMemo,
  locate: (place: TaintPlace) => Location | null,
): Location[] {
  const places = taintsAt(editorContext(document, memo), document.lines.offsetAt(position));
  return places.flatMap((place) => locate(place) ?? []);
}
