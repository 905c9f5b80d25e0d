// YAML layer, reading: a place in one document's text, and the blanks, comments and line ends between tokens.
// Source: go.yaml.in/yaml/v2 scannerc.go, which Kubernetes reads YAML with; what it refuses is refused here.
import type { Span } from "../../text/span.ts";
import type { TreeBuilder } from "../builder.ts";
import * as char from "./characters.ts";

const BOM = 0xfeff;

/** Thrown to leave the reader: Kubernetes refuses the text at this place. Never leaves `readDocument`. */
export class Refusal extends Error {
  readonly at: number;
  readonly tab: boolean;

  constructor(message: string, at: number, tab = false) {
    super(message);
    this.at = at;
    this.tab = tab;
  }
}

/** Thrown to leave the reader: nested deeper than any manifest. */
export class TooDeep extends Error {
  readonly at: number;

  constructor(at: number) {
    super("nested too deeply");
    this.at = at;
  }
}

/** The reader's place in a document. */
export class Cursor {
  readonly text: string;
  readonly end: number;
  /** Offset of the document's text in its file. */
  readonly base: number;
  readonly builder: TreeBuilder;
  /** Whether the document is JSON, which Kubernetes reads with a JSON decoder: other escapes, keys of any length. */
  readonly json: boolean;
  pos = 0;
  lineStart = 0;
  /** Whether a line end was passed since the last token: a key or dash may stand here, a tab may not. */
  fresh = true;
  depth = 0;

  /** Whether `%` directives stand before the document: they may name prefixes of tags. */
  readonly directives: boolean;

  constructor(text: string, base: number, directives: boolean, builder: TreeBuilder) {
    this.directives = directives;
    this.text = text;
    this.end = text.length;
    this.base = base;
    this.builder = builder;
    this.json = /^\s*\{/.test(text);
  }

  /** The code at an offset; 0 behind the end. */
  code(at: number): number {
    return at < this.end ? this.text.charCodeAt(at) : 0;
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  /** A span in the file from offsets in the document. */
  span(start: number, end: number): Span {
    return { start: this.base + start, end: this.base + end };
  }

  /** Whether a blank, line end or the text's end stands at an offset. */
  blankAt(at: number): boolean {
    const code = this.code(at);
    return code === char.SPACE || code === char.LF || code === 0 || code === char.TAB || code === char.CR;
  }

  /**
   * Goes to the next token of the block context. Tabs count as blanks only behind a token on the same line that no key
   * may follow (`tabs`), as upstream has it.
   */
  skip(tabs: boolean): void {
    const { text, end } = this;
    let at = this.pos;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === char.SPACE || (code === char.TAB && tabs && !this.fresh)) at++;
      else if (code === char.LF || code === char.CR) {
        at += code === char.CR && this.code(at + 1) === char.LF ? 2 : 1;
        this.lineStart = at;
        this.fresh = true;
      } else if (code === char.HASH) at = this.lineEnd(at);
      else if (code === BOM && at === this.lineStart) {
        // It takes no column: what follows counts from behind it.
        at++;
        this.lineStart = at;
      } else break;
    }
    this.pos = at;
  }

  /** Goes to the next token inside brackets, where line ends and tabs are blanks. */
  skipFlow(): void {
    const { text, end } = this;
    let at = this.pos;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === char.SPACE || code === char.TAB) at++;
      else if (code === char.LF || code === char.CR) {
        at += code === char.CR && this.code(at + 1) === char.LF ? 2 : 1;
        this.lineStart = at;
        this.fresh = true;
      } else if (code === char.HASH) at = this.lineEnd(at);
      else break;
    }
    this.pos = at;
  }

  /** Offset of the line end at or behind an offset; the text's end when there is none. */
  lineEnd(at: number): number {
    const lf = this.text.indexOf("\n", at);
    const end = lf < 0 ? this.end : lf;
    if (lf > at && this.text.charCodeAt(lf - 1) === char.CR) return lf - 1;
    return end;
  }

  enter(): void {
    if (++this.depth > MAX_DEPTH) throw new TooDeep(this.pos);
  }

  leave(): void {
    this.depth--;
  }

  refuse(message: string, at = this.pos): never {
    throw new Refusal(message, at, this.code(at) === char.TAB);
  }
}

/** Deepest nesting that is read; Kubernetes stops at 10,000, no manifest comes near. */
export const MAX_DEPTH = 500;
