// LSP layer: workloads of the whole workspace by name.
import { SymbolKind, type WorkspaceSymbol } from "vscode-languageserver";
import { workloadsOf } from "../features/editor/context.ts";
import { formatRef } from "../kube/workload.ts";
import { toRange } from "./convert/range.ts";
import type { CheckedFile } from "./diagnostics/background-check.ts";
import type { AnalysedDocument } from "./documents/analysed.ts";
import { uriKey } from "./documents/uri.ts";

const MOST = 500;

/** Workloads whose `Kind/namespace/name` holds the query's letters in their order; open documents as they are now. */
export function answerWorkspaceSymbols(
  query: string,
  open: readonly AnalysedDocument[],
  files: readonly CheckedFile[],
): WorkspaceSymbol[] {
  const opened = new Set(open.map(({ uri }) => uriKey(uri)));
  const ofOpen = open.flatMap(({ uri, file, lines }) =>
    workloadsOf(file).map(({ workload, nameSpan }) => symbol(formatRef(workload), uri, toRange(nameSpan, lines))),
  );
  const ofFiles = files
    .filter(({ uri }) => !opened.has(uriKey(uri)))
    .flatMap(({ uri, workloads }) =>
      workloads.map((each) =>
        symbol(formatRef(each), uri, {
          start: { line: each.line, character: 0 },
          end: { line: each.line, character: 0 },
        }),
      ),
    );
  return [...ofOpen, ...ofFiles].filter(({ name }) => holdsInOrder(name, query)).slice(0, MOST);
}

function symbol(name: string, uri: string, range: ReturnType<typeof toRange>): WorkspaceSymbol {
  return { name, kind: SymbolKind.Class, location: { uri, range } };
}

function holdsInOrder(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  let at = 0;
  for (const letter of query.toLowerCase()) {
    at = lower.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
