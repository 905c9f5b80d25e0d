// LSP layer: what is special about a document, so that silence is never taken for "clean".
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import type { DocumentNoteParams } from "../../../../shared/src/protocol.ts";
import { isExcluded } from "../../config/workspace-shape.ts";
import { SOURCE } from "../convert/diagnostic.ts";
import { toRange } from "../convert/range.ts";
import type { AnalysedDocument, LeftAlone } from "../documents/analysed.ts";

const NOTHING = { note: null, message: "" } as const;

const RECORD = "Not judged: these objects are what a cluster returned. The file can be used as the cluster instead.";

const LEFT_ALONE: Readonly<Record<LeftAlone, string>> = {
  excluded: "Left alone: the settings or taintwise.yaml exclude this file, or a cluster is read from it.",
  conflict: "Not checked: the file holds the marks of a merge conflict.",
  quarantined:
    "Not checked: the language server stopped several times while this document was at hand. It is tried again when the document is saved.",
  "too-large": "Not checked: the file is too large to be read while somebody types.",
};

/** The note of a document; `null` when there is nothing special about it. */
export function noteOf({ file, folder, path, leftAlone }: AnalysedDocument): Omit<DocumentNoteParams, "uri"> {
  const why = isExcluded(folder.config.exclude, path) ? "excluded" : leftAlone;
  if (why !== null) return { note: why, message: LEFT_ALONE[why] };
  if (file.template) return { note: "template", message: "Template: not checked before it is rendered." };
  const record = file.documents.some(({ other }) => other === "record");
  return record ? { note: "record", message: RECORD } : NOTHING;
}

/** For every editor, also one that shows no notes: one line of information where a text is not read for what it holds. */
export function leftAloneNotice({ text, lines, leftAlone }: AnalysedDocument): readonly Diagnostic[] {
  if (leftAlone === null || leftAlone === "excluded") return [];
  const start = leftAlone === "conflict" ? Math.max(text.search(/^<{7} /m), 0) : 0;
  const end = start + (/^.*/.exec(text.slice(start, start + 200))?.[0].length ?? 0);
  const range = toRange({ start, end }, lines);
  return [{ source: SOURCE, severity: DiagnosticSeverity.Information, range, message: LEFT_ALONE[leftAlone] }];
}
