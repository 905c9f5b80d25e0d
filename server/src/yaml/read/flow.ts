// YAML layer, reading: lists and mappings in brackets, JSON among them. Source: go.yaml.in/yaml/v2 parserc.go
// (parse_flow_sequence_entry, parse_flow_mapping_key).
import type { WrittenEntry } from "../builder.ts";
import type { YamlNode } from "../tree.ts";
import * as char from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import { readName, readProperties } from "./properties.ts";
import { readPlain, readQuoted } from "./scalars.ts";

/** Longest implicit key that upstream recognises, in characters. */
export const LONGEST_KEY = 1024;

/** The list or mapping whose opening bracket stands at the cursor. */
export function readFlow(cursor: Cursor): YamlNode {
  return cursor.code(cursor.pos) === char.OPEN_BRACE ? readMapping(cursor) : readSequence(cursor);
}

function readSequence(cursor: Cursor): YamlNode {
  const start = cursor.pos;
  cursor.enter();
  cursor.pos++;
  const items: YamlNode[] = [];
  for (;;) {
    cursor.skipFlow();
    if (cursor.code(cursor.pos) === char.CLOSE_BRACKET) break;
    const at = cursor.pos;
    const complex = skipQuestion(cursor);
    const item = complex && endsKey(cursor, char.CLOSE_BRACKET) ? empty(cursor, cursor.pos, null) : readNode(cursor);
    cursor.skipFlow();
    if (complex || cursor.code(cursor.pos) === char.COLON) items.push(readPair(cursor, at, item, complex));
    else items.push(item);
    if (!nextItem(cursor, char.CLOSE_BRACKET, start)) break;
  }
  cursor.pos++;
  cursor.fresh = false;
  cursor.leave();
  return cursor.builder.sequence(cursor.span(start, cursor.pos), true, items);
}

/** `[key: value]` is a list of a mapping with one key. */
function readPair(cursor: Cursor, start: number, key: YamlNode, complex: boolean): YamlNode {
  const value = readValue(cursor, start, char.CLOSE_BRACKET, complex);
  const end = (value.alias?.use.end ?? value.span.end) - cursor.base;
  return cursor.builder.mapping(cursor.span(start, end), true, [{ key, value }]);
}

function readMapping(cursor: Cursor): YamlNode {
  const start = cursor.pos;
  cursor.enter();
  cursor.pos++;
  const entries: WrittenEntry[] = [];
  for (;;) {
    cursor.skipFlow();
    if (cursor.code(cursor.pos) === char.CLOSE_BRACE) break;
    const at = cursor.pos;
    const complex = skipQuestion(cursor);
    const key = complex && endsKey(cursor, char.CLOSE_BRACE) ? empty(cursor, cursor.pos, null) : readNode(cursor);
    entries.push({ key, value: readValue(cursor, at, char.CLOSE_BRACE, complex) });
    if (!nextItem(cursor, char.CLOSE_BRACE, start)) break;
  }
  cursor.pos++;
  cursor.fresh = false;
  cursor.leave();
  return cursor.builder.mapping(cursor.span(start, cursor.pos), true, entries);
}

/**
 * The value behind a key that was read, absent where no colon follows.
 * @param keyStart where the key starts
 * @param complex whether it was written with `?`, and so may go over several lines
 */
function readValue(cursor: Cursor, keyStart: number, close: number, complex: boolean): YamlNode {
  const keyEnd = cursor.pos;
  cursor.skipFlow();
  if (cursor.code(cursor.pos) !== char.COLON) return empty(cursor, keyEnd, null);
  const long = cursor.pos - keyStart > LONGEST_KEY || /[\r\n]/.test(cursor.text.slice(keyStart, cursor.pos));
  if (long && !complex && !cursor.json) {
    cursor.refuse("a key must stand on one line with its colon, within 1024 characters");
  }
  const colon = ++cursor.pos;
  cursor.fresh = false;
  cursor.skipFlow();
  const code = cursor.code(cursor.pos);
  return code === char.COMMA || code === close ? empty(cursor, colon, null) : readNode(cursor);
}

/** Passes the `?` of a complex key; whether there was one. */
function skipQuestion(cursor: Cursor): boolean {
  if (cursor.code(cursor.pos) !== char.QUESTION) return false;
  cursor.pos++;
  cursor.skipFlow();
  return true;
}

function endsKey(cursor: Cursor, close: number): boolean {
  const code = cursor.code(cursor.pos);
  return code === char.COLON || code === char.COMMA || code === close;
}

function empty(cursor: Cursor, at: number, tag: string | null): YamlNode {
  return cursor.builder.scalar(cursor.span(at, at), "", "plain", tag);
}

/** Passes the comma behind an item; false when the closing bracket stands there instead. */
function nextItem(cursor: Cursor, close: number, start: number): boolean {
  cursor.skipFlow();
  const code = cursor.code(cursor.pos);
  if (code === close) return false;
  if (cursor.pos >= cursor.end) cursor.refuse(`the ${cursor.text.charAt(start)} is not closed`, start);
  if (code !== char.COMMA) cursor.refuse(`a comma or ${String.fromCharCode(close)} is expected here`);
  cursor.pos++;
  return true;
}

function readNode(cursor: Cursor): YamlNode {
  const code = cursor.code(cursor.pos);
  if (code === char.DOUBLE_QUOTE || code === char.SINGLE_QUOTE) return quoted(cursor, null);
  if (code === char.OPEN_BRACE || code === char.OPEN_BRACKET) return readFlow(cursor);
  if (code === char.ASTERISK) {
    const start = cursor.pos;
    const name = readName(cursor);
    cursor.fresh = false;
    return cursor.builder.alias(name, cursor.span(start, cursor.pos));
  }
  if (code !== char.AMPERSAND && code !== char.BANG) return plain(cursor, null);
  const properties = readProperties(cursor, () => cursor.skipFlow());
  const node = readContent(cursor, properties?.tag ?? null, properties?.start ?? cursor.pos);
  properties?.close?.(node);
  return node;
}

function readContent(cursor: Cursor, tag: string | null, start: number): YamlNode {
  const code = cursor.code(cursor.pos);
  if (code === char.DOUBLE_QUOTE || code === char.SINGLE_QUOTE) return quoted(cursor, tag);
  if (code === char.OPEN_BRACE || code === char.OPEN_BRACKET) return readFlow(cursor);
  if (code === char.COMMA || code === char.COLON || code === char.CLOSE_BRACE || code === char.CLOSE_BRACKET) {
    // Nothing but an anchor or tag: an empty scalar behind it.
    let end = cursor.pos;
    while (end > start && cursor.blankAt(end - 1)) end--;
    return empty(cursor, end, tag);
  }
  return plain(cursor, tag);
}

function quoted(cursor: Cursor, tag: string | null): YamlNode {
  const { source, style, start, end } = readQuoted(cursor);
  return cursor.builder.scalar(cursor.span(start, end), source, style, tag);
}

function plain(cursor: Cursor, tag: string | null): YamlNode {
  const code = cursor.code(cursor.pos);
  switch (code) {
    case char.QUESTION:
    case char.COLON:
      cursor.refuse("a key is missing before the colon");
      break;
    case char.DASH: {
      const next = cursor.code(cursor.pos + 1);
      if (cursor.blankAt(cursor.pos + 1)) {
        cursor.refuse(
          next === char.SPACE || next === char.TAB
            ? "a list with dashes cannot stand in brackets"
            : "a value is expected here",
        );
      }
      break;
    }
    case char.COMMA:
    case char.CLOSE_BRACE:
    case char.CLOSE_BRACKET:
    case char.AMPERSAND:
    case char.ASTERISK:
    case char.BANG:
    case char.PERCENT:
    case char.AT:
    case char.BACKTICK:
    case char.PIPE:
    case char.GREATER:
      cursor.refuse(`a value cannot start with ${String.fromCharCode(code)} here; quote it if text is meant`);
      break;
    case 0:
      cursor.refuse("the text ends inside of brackets");
  }
  const { source, start, end } = readPlain(cursor, 0, true);
  return cursor.builder.scalar(cursor.span(start, end), source, "plain", tag);
}
