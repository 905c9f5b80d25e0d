// LSP layer: what is special about a document, so that silence is never taken for "clean".
import type { DocumentNoteParams } from "../../../../shared/src/protocol.ts";
import { isExcluded } from "../../config/workspace-shape.ts";
import type { AnalysedDocument, LeftAlone } from "../documents/analysed.ts";

const NOTHING = { note: null, message: "" } as const;

const LEFT_ALONE: Readonly<Record<LeftAlone, string>> = {
  excluded: "Left alone: the settings or taintwise.yaml exclude this file, or a cluster is read from it.",
  conflict: "Not checked: the file holds the marks of a merge conflict.",
  "too-large": "Not checked: the file is too large to be read while somebody types.",
};

/** The note of a document; `null` when there is nothing special about it. */
export function noteOf({ file, folder, path, leftAlone }: AnalysedDocument): Omit<DocumentNoteParams, "uri"> {
  const why = isExcluded(folder.config.exclude, path) ? "excluded" : leftAlone;
  if (why !== null) return { note: why, message: LEFT_ALONE[why] };
  if (file.template) return { note: "template", message: "Template: not checked before it is rendered." };
  return NOTHING;
}
