// YAML layer, plain reader: the place in a text, and the lines around it.

/** Thrown inside the plain reader where the text leaves its subset of YAML; its entry function turns it into null. */
export class OutsideSubset extends Error {}

/** Leaves the plain reader: the text is YAML of another style, or broken. */
export function leaveSubset(): never {
  throw new OutsideSubset("outside the plain subset of YAML");
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const TAB = 9;
const HASH = 35;

/** Reads one document `[at, end)` of `text`, line by line. Offsets are UTF-16 offsets of `text`. */
export class PlainCursor {
  readonly text: string;
  readonly end: number;
  at: number;
  /** Offset of the first character of the line that holds `at`. */
  lineStart: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.at = start;
    this.lineStart = start;
    this.end = end;
  }

  get atEnd(): boolean {
    return this.at >= this.end;
  }

  /** Columns from the start of the line. */
  get column(): number {
    return this.at - this.lineStart;
  }

  /** The code unit `distance` after the place; NaN at the end. */
  code(distance = 0): number {
    const offset = this.at + distance;
    return offset < this.end ? this.text.charCodeAt(offset) : Number.NaN;
  }

  /** Offset of the end of the line that holds `from`, its line break not included. */
  lineEnd(from: number): number {
    const found = this.text.indexOf("\n", from);
    if (found < 0 || found >= this.end) return this.end;
    return found > from && this.text.charCodeAt(found - 1) === RETURN ? found - 1 : found;
  }

  /** Offset of the line that follows the one that holds `from`. */
  nextLineStart(from: number): number {
    const found = this.text.indexOf("\n", from);
    return found < 0 || found >= this.end ? this.end : found + 1;
  }

  /** Whether the rest of the line is blank or a comment. `at` must not stand inside a word. */
  restIsBlank(): boolean {
    this.skipSpaces();
    const code = this.code();
    return Number.isNaN(code) || code === NEWLINE || code === HASH || (code === RETURN && this.code(1) === NEWLINE);
  }

  /** Moves over spaces of the line. */
  skipSpaces(): void {
    while (this.code() === SPACE) this.at += 1;
    if (this.code() === TAB) leaveSubset();
  }

  /** Moves to the first character of the next line that is neither blank nor a comment, or to the end. */
  toNextContent(): void {
    this.at = this.nextLineStart(this.at);
    this.toContent();
  }

  /** Like `toNextContent`, from the start of the present line. */
  toContent(): void {
    for (;;) {
      this.lineStart = this.at;
      if (this.atEnd) return;
      if (!this.restIsBlank()) return;
      this.at = this.nextLineStart(this.at);
    }
  }
}

/** Whether a code unit ends a word in block context: a space, a line break or the end of the text. */
export function isBreak(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === RETURN || Number.isNaN(code);
}
