// Client: the place a command is about: what a lens or action named, else the cursor.
import { Position, Selection, Uri, window } from "vscode";
import type { DocumentPlace } from "../../../shared/src/protocol.ts";

/** The argument if it is a place (a server of another version may send anything), else the active editor's cursor, else null. */
export function placeOrCursor(argument: unknown): DocumentPlace | null {
  const named = readPlace(argument);
  if (named) return named;
  const editor = window.activeTextEditor;
  if (!editor) return null;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** Opens the document with the cursor at the place. */
export async function openPlace(argument: unknown): Promise<void> {
  const place = readPlace(argument);
  if (!place) return;
  const cursor = new Position(place.position.line, place.position.character);
  await window.showTextDocument(Uri.parse(place.uri, true), { selection: new Selection(cursor, cursor) });
}

function readPlace(argument: unknown): DocumentPlace | null {
  if (typeof argument !== "object" || argument === null || !("uri" in argument) || !("position" in argument))
    return null;
  const { uri, position } = argument;
  if (typeof uri !== "string" || typeof position !== "object" || position === null) return null;
  if (!("line" in position) || !("character" in position)) return null;
  const { line, character } = position;
  return typeof line === "number" && typeof character === "number" ? { uri, position: { line, character } } : null;
}
