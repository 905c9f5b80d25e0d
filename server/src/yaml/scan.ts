// YAML layer: finds the documents of a file, and among them those that can hold a workload, without parsing.
//
// `splitDocuments` gives every document; `scanDocuments` only those worth parsing. The scan may keep a document too
// many (the reader then finds nothing in it), but drops none with a workload whose `kind` stands as a plain or quoted
// word. It costs one pass of a regular expression over files that hold nothing of ours.
import type { Span } from "../text/span.ts";

/** A document found by its marks. */
export interface ScannedDocument {
  /** The document's text, behind its `---` and before the next mark. */
  readonly span: Span;
  /** Where its `%` directives start; `span.start` without any. */
  readonly head: number;
}

const KINDS = "Pod|ReplicationController|PodTemplate|ReplicaSet|Deployment|StatefulSet|DaemonSet|Job|CronJob";

/** `kind`, quoted or not, with a value that can be a workload's or a list's: a word, or something only a parser can tell. */
const KIND = `kind["']?\\s*:\\s*(?:[&!]\\S*\\s+)*(?:["']?(?:(?:${KINDS})(?:List)?|List)(?![\\w-])|[*>|])`;
const ROOT_KIND = /^["']?kind["']?[ \t]*:/m;
const POD_SPEC_WORD = /containers|tolerations|nodeSelector|[aA]ffinity|nodeName/;
const OPERATION = /\bop["']?[ \t]*:/;
const MARK = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/** Every document of a file, empty ones left out. Marks count at the start of a line only, as YAML says. */
export function splitDocuments(text: string): readonly ScannedDocument[] {
  const documents: ScannedDocument[] = [];
  let head = -1;
  let start = 0;
  const close = (end: number, next: "---" | "..." | null): void => {
    const directives = next === "---" ? directivesStart(text, start, end) : -1;
    if (directives >= 0) head = directives;
    else {
      if (!isBlank(text, start, end)) documents.push({ span: { start, end }, head: head < 0 ? start : head });
      head = -1;
    }
  };
  if (text.startsWith("\uFEFF")) start = 1;
  for (const match of text.matchAll(MARK)) {
    const mark = match[0] === "---" ? "---" : "...";
    close(match.index, mark);
    start = afterMark(text, match.index + 3);
  }
  close(text.length, null);
  return documents;
}

/** The documents that can hold a workload, a patch of one, or a JSON6902 patch of its scheduling fields. */
export function scanDocuments(text: string): readonly ScannedDocument[] {
  const canHold = kindsIn(text).length > 0 || isPatchList(text) || (text.includes("\n---") && hasOperations(text));
  return canHold ? splitDocuments(text).filter(({ span }) => canMatter(text.slice(span.start, span.end))) : [];
}

function canMatter(document: string): boolean {
  if (!POD_SPEC_WORD.test(document)) return false;
  const kinds = kindsIn(document);
  if (kinds.length === 0) return isPatchList(document);
  if (kinds.some((index) => startsLine(document, index))) return true;
  // Where the root's own kind is something else, what matched is a reference (scaleTargetRef) or text.
  return !ROOT_KIND.test(document) && document.includes("apiVersion");
}

/** Offsets of each `kind` whose value can be that of a workload. Searching the word first is what makes the scan fast. */
function kindsIn(text: string): readonly number[] {
  const pattern = new RegExp(KIND, "y");
  const found: number[] = [];
  for (let at = text.indexOf("kind"); at >= 0; at = text.indexOf("kind", at + 4)) {
    pattern.lastIndex = at;
    if (pattern.test(text)) found.push(at);
  }
  return found;
}

/** Whether a text's first content is that of a list, and holds operations on what concerns us: a JSON6902 patch. */
function isPatchList(text: string): boolean {
  const first = text.charAt(contentStart(text, 0, text.length));
  return (first === "-" || first === "[") && hasOperations(text);
}

function hasOperations(text: string): boolean {
  return OPERATION.test(text) && POD_SPEC_WORD.test(text);
}

/** Whether the word at `index`, or the quote before it, is the first of its line. */
function startsLine(document: string, index: number): boolean {
  const before = document[index - 1];
  const start = before === '"' || before === "'" ? index - 1 : index;
  return start === 0 || "\n\r\uFEFF".includes(document[start - 1] ?? "");
}

function afterMark(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
  return text[at] === "\n" ? at + 1 : offset;
}

/** The offset of the first `%` line when only directives, comments and blank lines stand in the range; else -1. */
function directivesStart(text: string, start: number, end: number): number {
  const lines = text.slice(start, end);
  if (!lines.includes("%")) return -1;
  const first = /^%/m.exec(lines);
  const rest = lines.replace(/^%[^\n]*/gm, "");
  return first !== null && isBlank(rest, 0, rest.length) ? start + first.index : -1;
}

function isBlank(text: string, start: number, end: number): boolean {
  return contentStart(text, start, end) >= end;
}

/** Offset of the first character in a range that is neither blank nor comment nor a `---`; `end` when there is none. */
function contentStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 35) {
      const line = text.indexOf("\n", at);
      at = line < 0 ? end : line;
    } else if (code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff) at++;
    else if (code === 45 && text.startsWith("---", at) && start === 0) at += 3;
    else return at;
  }
  return end;
}
