// YAML layer, reading: literal and folded block scalars. Source: go.yaml.in/yaml/v2 scannerc.go (scan_block_scalar,
// scan_block_scalar_breaks).
import * as char from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import type { ReadScalar } from "./scalars.ts";

/** A literal or folded block scalar; `parentIndent` is the column of the collection it is in, -1 at the root. */
export function readBlockScalar(cursor: Cursor, parentIndent: number): ReadScalar {
  const { text } = cursor;
  const start = cursor.pos;
  const literal = text.charAt(start) === "|";
  const header = readHeader(cursor);
  let indent = header.indent === 0 ? 0 : Math.max(parentIndent, 0) + header.indent;
  let contentEnd = cursor.pos;
  let source = "";
  let leadingBreak = "";
  let leadingBlank = false;
  nextLine(cursor);
  const first = leadingLines(cursor, indent, parentIndent);
  indent = first.indent;
  let trailing = first.breaks;
  while (cursor.column === indent && cursor.pos < cursor.end) {
    const code = text.charCodeAt(cursor.pos);
    const blank = code === char.SPACE || code === char.TAB;
    if (!literal && !leadingBlank && !blank && leadingBreak !== "") {
      if (trailing === 0) source += " ";
    } else source += leadingBreak;
    if (trailing > 0) source += "\n".repeat(trailing);
    leadingBlank = blank;
    const end = cursor.lineEnd(cursor.pos);
    source += text.slice(cursor.pos, end);
    contentEnd = end;
    cursor.pos = end;
    leadingBreak = nextLine(cursor) ? "\n" : "";
    trailing = leadingLines(cursor, indent, parentIndent).breaks;
  }
  if (header.chomp !== -1) source += leadingBreak;
  if (header.chomp === 1) source += "\n".repeat(trailing);
  while (contentEnd > start && cursor.blankAt(contentEnd - 1)) contentEnd--;
  cursor.fresh = true;
  return { source, style: literal ? "literal" : "folded", start, end: contentEnd, multiline: true };
}

/** The indicators behind `|` or `>`, in either order; leaves the cursor at the line's end. */
function readHeader(cursor: Cursor): { readonly chomp: -1 | 0 | 1; readonly indent: number } {
  let chomp: -1 | 0 | 1 = 0;
  let indent = 0;
  let at = cursor.pos + 1;
  for (let indicators = 0; indicators < 2; indicators++) {
    const code = cursor.code(at);
    if ((code === char.PLUS || code === char.DASH) && chomp === 0) {
      chomp = code === char.PLUS ? 1 : -1;
      at++;
    } else if (code > 48 && code <= 57 && indent === 0) {
      indent = code - 48;
      at++;
    }
  }
  while (cursor.code(at) === char.SPACE || cursor.code(at) === char.TAB) at++;
  if (cursor.code(at) === char.HASH) at = cursor.lineEnd(at);
  if (at < cursor.end && cursor.code(at) !== char.LF && cursor.code(at) !== char.CR) {
    cursor.refuse("only a comment may follow a block scalar's header", at);
  }
  cursor.pos = at;
  return { chomp, indent };
}

/** Passes one line end, if there is one. */
function nextLine(cursor: Cursor): boolean {
  const code = cursor.code(cursor.pos);
  if (code !== char.LF && code !== char.CR) return false;
  cursor.pos += code === char.CR && cursor.code(cursor.pos + 1) === char.LF ? 2 : 1;
  cursor.lineStart = cursor.pos;
  return true;
}

/** Passes empty lines and indentation; finds the scalar's indentation where it is not known yet (0). */
function leadingLines(
  cursor: Cursor,
  known: number,
  parentIndent: number,
): { readonly indent: number; readonly breaks: number } {
  let breaks = 0;
  let deepest = 0;
  for (;;) {
    while ((known === 0 || cursor.column < known) && cursor.code(cursor.pos) === char.SPACE) cursor.pos++;
    deepest = Math.max(deepest, cursor.column);
    if ((known === 0 || cursor.column < known) && cursor.code(cursor.pos) === char.TAB) {
      cursor.refuse("a tab stands where only blanks may indent", cursor.pos);
    }
    if (!nextLine(cursor)) break;
    breaks++;
  }
  return { indent: known === 0 ? Math.max(deepest, parentIndent + 1, 1) : known, breaks };
}
