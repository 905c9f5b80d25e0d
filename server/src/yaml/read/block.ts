// YAML layer, reading: lists and mappings by indentation. Source: go.yaml.in/yaml/v2 scannerc.go (fetch_value,
// roll_indent) and parserc.go (parse_block_mapping_key, parse_block_sequence_entry, parse_indentless_sequence_entry).
import type { WrittenEntry } from "../builder.ts";
import type { YamlNode } from "../tree.ts";
import { readBlockScalar } from "./block-scalar.ts";
import * as char from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import { LONGEST_KEY, readFlow } from "./flow.ts";
import { type Properties, readName, readProperties } from "./properties.ts";
import { type ReadScalar, readPlain, readQuoted } from "./scalars.ts";

/**
 * The node at the cursor.
 * @param indent column of the list or mapping around it, -1 at the root
 * @param dashes whether a list may stand in the column of its key (`indent` itself)
 */
export function readBlockNode(cursor: Cursor, indent: number, dashes: boolean): YamlNode {
  // A key or a dash may stand at a line's start and behind a dash, not behind a colon.
  const opens = cursor.fresh;
  const code = cursor.code(cursor.pos);
  if (code === char.AMPERSAND || code === char.BANG) return readWithProperties(cursor, indent, dashes, opens);
  return readContent(cursor, indent, opens, null);
}

function readWithProperties(cursor: Cursor, indent: number, dashes: boolean, opens: boolean): YamlNode {
  const column = cursor.column;
  const properties = readProperties(cursor, () => cursor.skip(true));
  if (properties === null) return readContent(cursor, indent, opens, null);
  const end = trimmed(cursor, properties.start);
  const own = !cursor.fresh || cursor.column > indent || (dashes && cursor.column === indent && isDash(cursor));
  if (cursor.pos >= cursor.end || !own) {
    const empty = cursor.builder.scalar(cursor.span(end, end), "", "plain", properties.tag);
    properties.close?.(empty);
    return empty;
  }
  if (cursor.fresh) {
    const node = readContent(cursor, indent, true, { ...properties, start: -1 });
    properties.close?.(node);
    return node;
  }
  // On one line they belong to a key, where one follows, and the mapping starts with them.
  return readContent(cursor, indent, opens, properties, column);
}

/** End of the properties' text: the cursor went on to the next token. */
function trimmed(cursor: Cursor, start: number): number {
  const line = cursor.lineEnd(start);
  let end = Math.min(cursor.pos, line);
  const comment = cursor.text.slice(start, end).search(/[ \t]#/);
  if (comment >= 0) end = start + comment;
  while (end > start && cursor.blankAt(end - 1)) end--;
  return end;
}

/** `properties.start` is -1 when they stand on a line above, and then are the whole node's. */
function readContent(
  cursor: Cursor,
  indent: number,
  opens: boolean,
  properties: Properties | null,
  propertiesColumn = -1,
): YamlNode {
  const column = propertiesColumn >= 0 ? propertiesColumn : cursor.column;
  const onLine = properties !== null && properties.start >= 0;
  const tag = properties?.tag ?? null;
  const code = cursor.code(cursor.pos);
  if (code === char.DASH && cursor.blankAt(cursor.pos + 1)) {
    if (!opens || onLine) cursor.refuse("a list item cannot stand here; start it on a line of its own");
    return readSequence(cursor, column);
  }
  if (code === char.QUESTION && cursor.blankAt(cursor.pos + 1)) {
    if (!opens || onLine) cursor.refuse("a key cannot stand here; start it on a line of its own");
    return readMapping(cursor, column, null);
  }
  if (code === char.PIPE || code === char.GREATER) {
    const scalar = finishScalar(cursor, readBlockScalar(cursor, indent), tag);
    if (onLine) properties.close?.(scalar);
    return scalar;
  }
  const start = onLine ? properties.start : cursor.pos;
  const line = cursor.lineStart;
  const node = readSimple(cursor, indent, onLine ? tag : opens ? null : tag);
  if (onLine) properties.close?.(node);
  if (!atColon(cursor)) {
    // The tag of a line above types the scalar only where it is no key.
    return retag(cursor, node, onLine || !opens ? null : tag);
  }
  if (node.kind !== "scalar" && node.alias === null) {
    // Upstream takes an empty pair of brackets at the root for the whole document.
    const empty = (node.kind === "mapping" ? node.entries : node.items).length === 0;
    if (empty && indent < 0) return node;
    cursor.refuse("a list or mapping cannot be a key", start);
  }
  if (!opens || line !== cursor.lineStart || cursor.pos - start > LONGEST_KEY) {
    cursor.refuse("a second colon: a value cannot hold a key; quote it if text is meant");
  }
  return readMapping(cursor, column, node);
}

function retag(cursor: Cursor, node: YamlNode, tag: string | null): YamlNode {
  if (tag === null || node.kind !== "scalar" || node.alias !== null) return node;
  return cursor.builder.scalar(node.span, node.source, node.style, tag);
}

/** A scalar, an alias, or a collection in brackets: all that can stand on one line before a colon. */
function readSimple(cursor: Cursor, indent: number, tag: string | null): YamlNode {
  const code = cursor.code(cursor.pos);
  switch (code) {
    case char.SINGLE_QUOTE:
    case char.DOUBLE_QUOTE:
      return finishScalar(cursor, readQuoted(cursor), tag);
    case char.OPEN_BRACE:
    case char.OPEN_BRACKET:
      return readFlow(cursor);
    case char.ASTERISK: {
      const start = cursor.pos;
      const name = readName(cursor);
      cursor.fresh = false;
      return cursor.builder.alias(name, cursor.span(start, cursor.pos));
    }
    case char.QUESTION:
    case char.COLON:
      if (cursor.blankAt(cursor.pos + 1)) cursor.refuse("a key is missing before the colon");
      break;
    case char.DASH:
      if (cursor.blankAt(cursor.pos + 1)) cursor.refuse("a list item cannot stand here; start it on a line of its own");
      break;
    case char.TAB:
      cursor.refuse("a tab stands where only blanks may indent");
      break;
    case char.AMPERSAND:
    case char.BANG:
    case char.COMMA:
    case char.CLOSE_BRACE:
    case char.CLOSE_BRACKET:
    case char.PERCENT:
    case char.AT:
    case char.BACKTICK:
    case char.PIPE:
    case char.GREATER:
      cursor.refuse(`a value cannot start with ${String.fromCharCode(code)}; quote it if text is meant`);
  }
  return finishScalar(cursor, readPlain(cursor, indent + 1, false), tag);
}

function finishScalar(cursor: Cursor, { source, style, start, end }: ReadScalar, tag: string | null): YamlNode {
  return cursor.builder.scalar(cursor.span(start, end), source, style, tag);
}

/** Goes to the colon behind a key; whether there is one on its line. */
function atColon(cursor: Cursor): boolean {
  cursor.skip(true);
  return !cursor.fresh && cursor.code(cursor.pos) === char.COLON && cursor.blankAt(cursor.pos + 1);
}

function isDash(cursor: Cursor): boolean {
  return cursor.code(cursor.pos) === char.DASH && cursor.blankAt(cursor.pos + 1);
}

/** The mapping at the cursor: at the colon behind its first key, or (`firstKey` null) at the `?` before it. */
function readMapping(cursor: Cursor, column: number, firstKey: YamlNode | null): YamlNode {
  cursor.enter();
  const entries: WrittenEntry[] = [];
  const start = cursor.pos;
  let key = firstKey;
  for (;;) {
    const entry = key === null ? readComplexEntry(cursor, column) : { key, value: readValue(cursor, column, true) };
    entries.push(entry);
    cursor.skip(true);
    if (cursor.pos >= cursor.end || (cursor.fresh && cursor.column < column)) break;
    if (!cursor.fresh) cursor.refuse("the line should end here: more text follows a complete value");
    if (cursor.column > column) cursor.refuse("this line is indented deeper than the keys above it");
    if (isDash(cursor)) cursor.refuse("a list item cannot stand between keys");
    key = isComplexKey(cursor) ? null : readKey(cursor, column);
  }
  cursor.leave();
  const from = firstKey === null ? start : (firstKey.alias?.use.start ?? firstKey.span.start) - cursor.base;
  const last = entries.at(-1)?.value;
  const end = last === undefined ? start : (last.alias?.use.end ?? last.span.end) - cursor.base;
  return cursor.builder.mapping(cursor.span(from, end), false, entries);
}

/** The value behind the colon at the cursor. Behind a simple key no other key and no dash may stand on the line. */
function readValue(cursor: Cursor, column: number, simple: boolean): YamlNode {
  const colon = ++cursor.pos;
  cursor.fresh = false;
  cursor.skip(simple);
  if (!hasValue(cursor, column)) return cursor.builder.scalar(cursor.span(colon, colon), "", "plain", null);
  if (!simple) cursor.fresh = true;
  return readBlockNode(cursor, column, true);
}

/** `? key`, and `: value` in the same column, which may be missing. */
function readComplexEntry(cursor: Cursor, column: number): WrittenEntry {
  const key = readValue(cursor, column, false);
  cursor.skip(true);
  const own = cursor.pos < cursor.end && cursor.fresh && cursor.column === column;
  if (own && cursor.code(cursor.pos) === char.COLON && cursor.blankAt(cursor.pos + 1)) {
    return { key, value: readValue(cursor, column, false) };
  }
  const end = key.alias?.use.end ?? key.span.end;
  return { key, value: cursor.builder.scalar({ start: end, end }, "", "plain", null) };
}

function isComplexKey(cursor: Cursor): boolean {
  return cursor.code(cursor.pos) === char.QUESTION && cursor.blankAt(cursor.pos + 1);
}

/** Whether the token behind a colon is its value: on the same line, deeper, or a list in the key's column. */
function hasValue(cursor: Cursor, column: number): boolean {
  if (cursor.pos >= cursor.end) return false;
  if (!cursor.fresh || cursor.column > column) return true;
  const code = cursor.code(cursor.pos);
  // Upstream takes a block scalar in the key's column too.
  return cursor.column === column && (isDash(cursor) || code === char.PIPE || code === char.GREATER);
}

function readKey(cursor: Cursor, indent: number): YamlNode {
  const start = cursor.pos;
  const line = cursor.lineStart;
  const properties = readProperties(cursor, () => cursor.skip(true));
  const key = readSimple(cursor, indent, properties?.tag ?? null);
  properties?.close?.(key);
  if (!atColon(cursor) || line !== cursor.lineStart || cursor.pos - start > LONGEST_KEY) {
    cursor.refuse("a key without colon: expected `key: value`", start);
  }
  return key;
}

/** The list whose first dash stands at the cursor. */
function readSequence(cursor: Cursor, column: number): YamlNode {
  const start = cursor.pos;
  cursor.enter();
  const items: YamlNode[] = [];
  let end = start;
  for (;;) {
    const dash = ++cursor.pos;
    // A key may follow a dash, and so a tab may not.
    cursor.fresh = false;
    cursor.skip(false);
    const present = cursor.pos < cursor.end && (!cursor.fresh || cursor.column > column);
    cursor.fresh = true;
    const item = present
      ? readBlockNode(cursor, column, false)
      : cursor.builder.scalar(cursor.span(dash, dash), "", "plain", null);
    items.push(item);
    end = (item.alias?.use.end ?? item.span.end) - cursor.base;
    cursor.skip(true);
    if (cursor.pos >= cursor.end || (cursor.fresh && cursor.column < column)) break;
    if (!cursor.fresh) cursor.refuse("the line should end here: more text follows a complete value");
    if (cursor.column > column) cursor.refuse("this line is indented deeper than the dashes above it");
    // A list in its key's column ends at the next key; elsewhere the mapping around it will refuse.
    if (!isDash(cursor)) break;
  }
  cursor.leave();
  return cursor.builder.sequence(cursor.span(start, end), false, items);
}
