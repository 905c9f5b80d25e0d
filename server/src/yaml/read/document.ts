// YAML layer, reading: one document as Kubernetes reads it, in one pass over the text.
import { TreeBuilder } from "../builder.ts";
import type { YamlDocument, YamlProblem } from "../tree.ts";
import { readBlockNode } from "./block.ts";
import { Cursor, Refusal, TooDeep } from "./cursor.ts";

/** The document read, or why it was not. */
export type Reading =
  | { readonly read: YamlDocument }
  /** Kubernetes refuses it; `problem` says where and why. */
  | { readonly refused: YamlProblem }
  /** It cannot be read at all within bounds. */
  | { readonly tooDeep: YamlProblem };

/** Characters that YAML does not allow, and line ends that only YAML 1.1 knows. */
const CONTROL = /[^\t\n\r -~\xa0-\u2027\u202a-\ufffd]/;

/** How a document begins. */
export interface Beginning {
  /** UTF-16 offset of its text in the file. */
  readonly base: number;
  /** Whether it starts on the line of its `---`, where no key may stand. */
  readonly inline: boolean;
  /** Whether `%` directives stand before it. */
  readonly directives: boolean;
}

/** Reads one document, `written` without its directives and marks. */
export function readDocument(written: string, { base, inline, directives }: Beginning): Reading {
  const control = CONTROL.exec(written);
  if (control !== null && !/[\x85\u2028\u2029]/.test(control[0])) {
    const at = base + control.index;
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return { refused: problemAt("syntax", `the control character U+${code} is not allowed in YAML`, at) };
  }
  const text = control === null ? written : written.replace(/[\x85\u2028\u2029]/g, "\n");
  const span = { start: base, end: base + text.length };
  const builder = new TreeBuilder();
  const cursor = new Cursor(text, base, directives, builder);
  try {
    cursor.fresh = !inline;
    cursor.skip(inline);
    const root = cursor.pos >= cursor.end ? null : readBlockNode(cursor, -1, false);
    cursor.skip(true);
    // Behind a complete root in brackets or quotes upstream reads no further; its JSON decoder does.
    const ignored = root !== null && (root.kind === "scalar" || root.flow) && !cursor.json;
    if (cursor.pos < cursor.end && !ignored) cursor.refuse("more text follows the end of the document's content");
    return { read: { span, root, problems: builder.problems, aliases: builder.aliases } };
  } catch (error) {
    if (error instanceof Refusal) {
      return { refused: problemAt(error.tab ? "tab-indent" : "syntax", error.message, base + error.at) };
    }
    if (error instanceof TooDeep)
      return { tooDeep: problemAt("too-deep", "the text is nested too deeply to be read", base + error.at) };
    throw error;
  }
}

function problemAt(code: YamlProblem["code"], message: string, at: number): YamlProblem {
  return { code, message, span: { start: at, end: at + 1 }, related: null };
}
