// YAML layer, plain reader: a fast strict reader for the YAML that tools print (kubectl, oc), many times as fast as the
// full parser. It knows no anchors, tags, merge keys, folded scalars or directives, and gives no spans and no problems:
// where a document leaves its subset it answers null, and the full parser must judge.
import { isBreak, leaveSubset, OutsideSubset, PlainCursor } from "./plain-cursor.ts";
import { readFlow } from "./plain-flow.ts";
import { plainValue, readLiteral, readPlain, readQuoted, startsPlain } from "./plain-scalars.ts";

/** A document as JSON data. */
export interface PlainDocument {
  readonly value: unknown;
  /** UTF-16 offsets of the items of the list under the root's `items`, in order; empty where there is none. */
  readonly itemOffsets: readonly number[];
}

const MAX_DEPTH = 100;
const DASH = 45;
const QUESTION = 63;
const COLON = 58;
const DOUBLE = 34;
const SINGLE = 39;
const OPEN_BRACE = 123;
const OPEN_BRACKET = 91;
const PIPE = 124;

const SKIP_NOTHING: ReadonlySet<string> = new Set();

/**
 * Reads one document, `text[start, end)` without its `---` line, as JSON data typed by Kubernetes' rules.
 * Returns null where it is outside the subset, broken documents included.
 * @param skip keys whose values are passed over, unread and unjudged, where they stand on lines of their own below the
 *   key (they come out as null): the greater part of a dump is fields that nobody asks for
 */
export function readPlainDocument(
  text: string,
  start: number,
  end: number,
  skip: ReadonlySet<string> = SKIP_NOTHING,
): PlainDocument | null {
  const reader = new BlockReader(new PlainCursor(text, start, end), skip);
  try {
    return { value: reader.readDocument(), itemOffsets: reader.itemOffsets };
  } catch (error) {
    if (error instanceof OutsideSubset) return null;
    throw error;
  }
}

class BlockReader {
  readonly itemOffsets: number[] = [];
  readonly #cursor: PlainCursor;
  readonly #skip: ReadonlySet<string>;
  /** Where the last key that was read starts. */
  #keyStart = 0;
  /** Whether the last key stood behind `?`: then a block may start on the line of its value. */
  #keyIsLong = false;

  constructor(cursor: PlainCursor, skip: ReadonlySet<string>) {
    this.#cursor = cursor;
    this.#skip = skip;
  }

  readDocument(): unknown {
    const cursor = this.#cursor;
    cursor.toContent();
    if (cursor.atEnd) return null;
    const value = this.#block(-1, 0, false);
    return cursor.atEnd ? value : leaveSubset();
  }

  /** A block node at the cursor, deeper than `parent` columns; leaves the cursor on the next content line. */
  #block(parent: number, depth: number, items: boolean): unknown {
    const cursor = this.#cursor;
    if (depth > MAX_DEPTH) leaveSubset();
    if (this.#atDash()) return this.#sequence(cursor.column, depth, items);
    const key = this.#key();
    if (key !== null) return this.#mapping(key, this.#keyStart - cursor.lineStart, depth);
    return this.#inline(parent, depth, false);
  }

  #sequence(column: number, depth: number, items: boolean): unknown[] {
    const cursor = this.#cursor;
    const sequence: unknown[] = [];
    while (!cursor.atEnd && cursor.column === column && this.#atDash()) {
      cursor.at += 1;
      if (cursor.restIsBlank()) {
        cursor.toNextContent();
        if (items) this.itemOffsets.push(cursor.at);
        const deeper = !cursor.atEnd && cursor.column > column;
        sequence.push(deeper ? this.#block(column, depth + 1, false) : null);
      } else {
        if (items) this.itemOffsets.push(cursor.at);
        sequence.push(this.#block(column, depth + 1, false));
      }
    }
    if (!cursor.atEnd && cursor.column > column) leaveSubset();
    return sequence;
  }

  /** A mapping whose first key has been read; the cursor stands behind its colon. */
  #mapping(firstKey: string, column: number, depth: number): Record<string, unknown> {
    const cursor = this.#cursor;
    const mapping: Record<string, unknown> = {};
    let key: string | null = firstKey;
    while (key !== null) {
      if (Object.hasOwn(mapping, key) || key === "__proto__" || key === "<<") leaveSubset();
      mapping[key] = this.#mappingValue(key, column, depth);
      if (cursor.atEnd || cursor.column < column) break;
      if (cursor.column > column) leaveSubset();
      key = this.#key();
      if (key === null) leaveSubset();
    }
    return mapping;
  }

  #mappingValue(key: string, column: number, depth: number): unknown {
    const cursor = this.#cursor;
    const items = depth === 0 && key === "items";
    const compact = this.#keyIsLong;
    if (!cursor.restIsBlank())
      return compact ? this.#block(column, depth + 1, false) : this.#inline(column, depth, true);
    cursor.toNextContent();
    if (this.#skip.has(key)) return this.#passOver(column);
    if (cursor.atEnd || cursor.column < column) return null;
    if (cursor.column > column) return this.#block(column, depth + 1, items);
    // A list may stand at the column of its key, as kubectl writes it.
    return this.#atDash() ? this.#sequence(column, depth + 1, items) : null;
  }

  /** Moves over the lines of a value of the mapping at `column`. */
  #passOver(column: number): null {
    const cursor = this.#cursor;
    while (!cursor.atEnd && (cursor.column > column || (cursor.column === column && this.#atDash()))) {
      cursor.toNextContent();
    }
    return null;
  }

  /** A scalar or flow collection that starts on the cursor's line; leaves the cursor on the next content line. */
  #inline(parent: number, depth: number, inMapping: boolean): unknown {
    const cursor = this.#cursor;
    const value = this.#inlineValue(parent, depth, inMapping);
    cursor.toNextContent();
    return value;
  }

  #inlineValue(parent: number, depth: number, inMapping: boolean): unknown {
    const cursor = this.#cursor;
    const code = cursor.code();
    if (code === PIPE) return readLiteral(cursor, parent, inMapping);
    if (code !== DOUBLE && code !== SINGLE && code !== OPEN_BRACE && code !== OPEN_BRACKET) {
      return readPlain(cursor, parent);
    }
    const value = readFlow(cursor, depth);
    const behind = cursor.at;
    if (!cursor.restIsBlank() || (cursor.text[cursor.at] === "#" && cursor.at === behind)) leaveSubset();
    return value;
  }

  #atDash(): boolean {
    return this.#cursor.code() === DASH && isBreak(this.#cursor.code(1));
  }

  /** Reads a key and its colon where the line has one; null, the cursor unmoved, where it has none. */
  #key(): string | null {
    const cursor = this.#cursor;
    this.#keyStart = cursor.at;
    this.#keyIsLong = false;
    const code = cursor.code();
    if (code === DOUBLE || code === SINGLE) return this.#quotedKey();
    if (code === QUESTION && isBreak(cursor.code(1))) return this.#longKey();
    if (!startsPlain(code, cursor.code(1))) return null;
    const stop = cursor.lineEnd(cursor.at);
    const colon = this.#colonBefore(stop);
    if (colon < 0) return null;
    const source = cursor.text.slice(cursor.at, colon);
    if (source.includes(" #") || typeof plainValue(source.trimEnd()) !== "string") leaveSubset();
    cursor.at = colon + 1;
    return source.trimEnd();
  }

  /** Offset of the first colon of the line that ends a key, -1 without. */
  #colonBefore(stop: number): number {
    const cursor = this.#cursor;
    let colon = cursor.text.indexOf(":", cursor.at);
    while (colon >= 0 && colon < stop) {
      if (colon + 1 >= stop || cursor.text.charCodeAt(colon + 1) === 32) return colon;
      if (cursor.text.charCodeAt(colon + 1) === 9) leaveSubset();
      colon = cursor.text.indexOf(":", colon + 1);
    }
    return -1;
  }

  #quotedKey(): string | null {
    const cursor = this.#cursor;
    const { at, lineStart } = cursor;
    const key = readQuoted(cursor);
    const sameLine = cursor.lineStart === lineStart;
    if (sameLine && cursor.code() === COLON && isBreak(cursor.code(1))) {
      cursor.at += 1;
      return key;
    }
    cursor.at = at;
    cursor.lineStart = lineStart;
    return null;
  }

  /** A long key: `? key` on one line, `: value` at the same column on the next. */
  #longKey(): string {
    const cursor = this.#cursor;
    const { column } = cursor;
    cursor.at += 1;
    cursor.skipSpaces();
    const quoted = cursor.code() === DOUBLE || cursor.code() === SINGLE;
    const key = quoted ? readQuoted(cursor) : readPlain(cursor, column);
    if (typeof key !== "string" || !cursor.restIsBlank()) return leaveSubset();
    cursor.toNextContent();
    if (cursor.column !== column || cursor.code() !== COLON || !isBreak(cursor.code(1))) leaveSubset();
    this.#keyStart = cursor.at;
    this.#keyIsLong = true;
    cursor.at += 1;
    return key;
  }
}
