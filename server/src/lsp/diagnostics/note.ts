// LSP layer: what is special about a document, so that silence is never taken for "clean".
import type { DocumentNoteParams } from "../../../../shared/src/protocol.ts";
import { isExcluded } from "../../config/workspace-shape.ts";
import type { AnalysedDocument } from "../documents/analysed.ts";

const NOTHING = { note: null, message: "" } as const;

/** The note of a document; `null` when there is nothing special about it. */
export function noteOf(document: AnalysedDocument): Omit<DocumentNoteParams, "uri"> {
  const { text, file, folder, path, excluded } = document;
  if (excluded || isExcluded(folder.config.exclude, path)) {
    return {
      note: "excluded",
      message: "Left alone: the settings or taintwise.yaml exclude this file, or a cluster is read from it.",
    };
  }
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) {
    return { note: "conflict", message: "Not checked: the file holds the marks of a merge conflict." };
  }
  if (file.template) return { note: "template", message: "Template: not checked before it is rendered." };
  return NOTHING;
}
