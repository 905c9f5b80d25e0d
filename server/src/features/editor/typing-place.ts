// Features layer, editor: where somebody is typing, read from the lines above: a text that is being typed is rarely
// whole, so the tree may not know the place yet.

export interface TypingPlace {
  /** Keys from the outermost to the one whose value or entry is typed; list items stand as `-`. */
  readonly keys: readonly string[];
  /** The key whose value is typed on this line; null when a key or a new item is. */
  readonly valueOf: string | null;
  /** The part of the word before the cursor. */
  readonly typed: string;
  /** UTF-16 offset where that word starts. */
  readonly start: number;
  /** Column of the first character of the line's content; for an empty line the cursor's column. */
  readonly column: number;
  /** Whether the line begins a list item (`- `). */
  readonly startsItem: boolean;
  /** Whether the place lies inside `{…}` or `[…]` on this line. */
  readonly flow: boolean;
  /** `key: value` pairs already in the same flow mapping or block item. */
  readonly siblings: ReadonlyMap<string, string>;
}

/** Reads the place of a UTF-16 offset. Looks at most `MOST_LINES` lines up. */
export function typingPlace(text: string, offset: number): TypingPlace {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const flowStart = Math.max(before.lastIndexOf("{"), before.lastIndexOf("["));
  const closed = Math.max(before.lastIndexOf("}"), before.lastIndexOf("]"));
  return flowStart > closed ? inFlow(text, lineStart, before) : inBlock(text, lineStart, before, offset);
}

const MOST_LINES = 2_000;
const KEY = /^("[^"]*"|'[^']*'|[^\s#:{}[\],&*!|>'"%@`][^:#{}]*?)\s*:(?:\s|$)/;

function inBlock(text: string, lineStart: number, before: string, offset: number): TypingPlace {
  const dashes = /^(\s*)((?:-\s+)*)(-?)/.exec(before);
  const indent = (dashes?.[1] ?? "").length;
  const items = dashes?.[2] ?? "";
  const content = before.slice(indent + items.length);
  const column = content === "" && items === "" ? before.length : indent + items.length;
  const key = KEY.exec(content);
  const value = key === null ? content : content.slice(key[0].length);
  const typed = value.trimStart();
  const outer = keysAbove(text, lineStart, items === "" ? column : indent);
  const keys = [
    ...outer,
    ...items
      .split("-")
      .slice(1)
      .map(() => "-"),
  ];
  return {
    keys,
    valueOf: key === null ? null : unquoted(key[1] ?? ""),
    typed,
    start: offset - typed.length,
    column,
    startsItem: items !== "" || content === "-",
    flow: false,
    siblings: siblingsOf(text, lineStart, column),
  };
}

function inFlow(text: string, lineStart: number, before: string): TypingPlace {
  const open: { readonly at: number; readonly kind: "{" | "[" }[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const mark = before[at];
    if (mark === "{" || mark === "[") open.push({ at, kind: mark });
    else if (mark === "}" || mark === "]") open.pop();
  }
  const outer = inBlock(text, lineStart, before.slice(0, open[0]?.at ?? 0), lineStart + (open[0]?.at ?? 0));
  const keys = [...outer.keys, ...(outer.valueOf === null ? [] : [outer.valueOf])];
  let entry = "";
  for (const [index, { at, kind }] of open.entries()) {
    const end = open[index + 1]?.at ?? before.length;
    const part = before.slice(at + 1, end);
    entry = part;
    const last = lastEntry(part);
    const key = KEY.exec(`${last.trimStart()} `);
    if (kind === "[") keys.push("-");
    if (index < open.length - 1 && key !== null) keys.push(unquoted(key[1] ?? ""));
  }
  const last = lastEntry(entry).trimStart();
  const key = KEY.exec(`${last} `);
  const typed = (key === null ? last : last.slice(key[0].length - 1)).trimStart();
  return {
    keys,
    valueOf: key === null ? null : unquoted(key[1] ?? ""),
    typed,
    start: lineStart + before.length - typed.length,
    column: outer.column,
    startsItem: open.at(-1)?.kind === "[",
    flow: true,
    siblings: new Map(entry.split(",").flatMap(pairOf)),
  };
}

function lastEntry(part: string): string {
  return part.slice(part.lastIndexOf(",") + 1);
}

/** Keys of the lines above that enclose a line whose content starts at `column`. */
function keysAbove(text: string, lineStart: number, column: number): readonly string[] {
  const keys: string[] = [];
  let limit = column;
  let end = lineStart - 1;
  for (let count = 0; count < MOST_LINES && end >= 0; count += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).replace(/\r$/, "");
    end = start - 1;
    if (/^(---|\.\.\.)(\s|$)/.test(line)) break;
    const head = /^(\s*)((?:-\s+)*)/.exec(line);
    const indent = (head?.[1] ?? "").length;
    const items = head?.[2] ?? "";
    const content = line.slice(indent + items.length);
    if (content.trim() === "" || content.startsWith("#")) continue;
    const at = indent + items.length;
    const key = KEY.exec(content);
    // A sequence may stand at the column of its key.
    const encloses =
      at < limit ||
      (at === limit &&
        key !== null &&
        items === "" &&
        line.trimEnd().endsWith(":") &&
        nextIsItem(text, end, start, line));
    if (encloses && key !== null) {
      keys.unshift(unquoted(key[1] ?? ""));
      limit = at;
    }
    if (items !== "" && indent < limit) {
      keys.unshift("-");
      limit = indent;
    }
    if (limit === 0) break;
  }
  return keys;
}

/** Whether the line below is a list item at the same column. */
function nextIsItem(text: string, _end: number, start: number, line: string): boolean {
  const next = start + line.length + 1;
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  return new RegExp(`^\\r?\\n? {${indent}}-(\\s|$)`).test(text.slice(next - 1, next + indent + 3));
}

/** The scalar pairs of the block item that the line belongs to. */
function siblingsOf(text: string, lineStart: number, column: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const take = (from: number, step: -1 | 1): void => {
    let start = from;
    for (let count = 0; count < 12; count += 1) {
      if (start < 0 || start > text.length) return;
      const newline = text.indexOf("\n", start);
      const line = text.slice(start, newline < 0 ? text.length : newline).replace(/\r$/, "");
      const head = /^(\s*(?:-\s+)*)/.exec(line)?.[0] ?? "";
      if (line.trim() !== "" && head.length !== column) return;
      for (const [key, value] of pairOf(line.slice(head.length))) found.set(key, value);
      if (step === -1 ? head.includes("-") : false) return;
      if (step === 1) {
        if (newline < 0) return;
        start = newline + 1;
        if (/^\s*-\s/.test(text.slice(start, start + column + 2))) return;
      } else {
        if (start === 0) return;
        start = text.lastIndexOf("\n", start - 2) + 1;
      }
    }
  };
  take(lineStart, -1);
  take(lineStart, 1);
  return found;
}

function pairOf(entry: string): readonly (readonly [string, string])[] {
  const match = /^\s*([\w./"'-]+)\s*:\s*(.*?)\s*$/.exec(entry);
  if (match === null) return [];
  return [[unquoted(match[1] ?? ""), unquoted((match[2] ?? "").replace(/\s+#.*$/, ""))]];
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
