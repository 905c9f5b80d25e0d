// YAML layer, reading: anchors, aliases and tags. Source: go.yaml.in/yaml/v2 scannerc.go (scan_anchor, scan_tag).
import type { YamlNode } from "../tree.ts";
import * as char from "./characters.ts";
import type { Cursor } from "./cursor.ts";

/** What stands before a node: `&anchor`, `!tag`, both in either order, or neither. */
export interface Properties {
  readonly start: number;
  readonly tag: string | null;
  /** Hands the finished node to the anchor. */
  readonly close: ((node: YamlNode) => void) | null;
}

const ANCHOR = /[A-Za-z0-9_-]+/y;
const TAG = /!(?:<[^\s<>]+>|[\w\-;/?:@&=+$,.!~*'()[\]%]*)/y;

/** Reads the properties at the cursor, null without any. `skip` passes the blanks behind each. */
export function readProperties(cursor: Cursor, skip: () => void): Properties | null {
  const start = cursor.pos;
  let tag: string | null = null;
  let close: Properties["close"] = null;
  for (;;) {
    const code = cursor.code(cursor.pos);
    if (code === char.AMPERSAND && close === null) close = cursor.builder.anchor(readName(cursor));
    else if (code === char.BANG && tag === null) tag = readTag(cursor);
    else break;
    cursor.fresh = false;
    skip();
  }
  return tag === null && close === null ? null : { start, tag, close };
}

/** The name behind `&` or `*`. */
export function readName(cursor: Cursor): string {
  const at = cursor.pos;
  ANCHOR.lastIndex = at + 1;
  const name = ANCHOR.exec(cursor.text)?.[0] ?? "";
  const end = at + 1 + name.length;
  if (name === "" || !(cursor.blankAt(end) || "?:,]}%@`".includes(cursor.text.charAt(end)))) {
    cursor.refuse("an anchor's name is made of letters, digits, - and _", at);
  }
  cursor.pos = end;
  return name;
}

function readTag(cursor: Cursor): string {
  const at = cursor.pos;
  TAG.lastIndex = at;
  const tag = TAG.exec(cursor.text)?.[0] ?? "!";
  const end = at + tag.length;
  if (!cursor.blankAt(end)) cursor.refuse("a blank must follow a tag", end);
  if (/^![\w-]+!/.test(tag) && !cursor.directives) cursor.refuse(`the tag ${tag} has an unknown prefix`, at);
  if (tag === "!!") cursor.refuse("a tag's name is missing", at);
  cursor.pos = end;
  return tag;
}
