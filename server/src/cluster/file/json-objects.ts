// Cluster layer, files: the objects of a JSON text. Several values may follow each other, and the output of
// `kubectl cluster-info dump` has logs between them. Lists are parsed item by item, so that memory stays small.
import { textOf } from "../../kube/decode/reading.ts";
import type { Span } from "../../text/span.ts";
import { type JsonSource, outlineArray, outlineObject, skipWhite } from "./json-scan.ts";
import { emitItem, emitValue, isListKind, type ObjectSink, type TextProblem } from "./object-sink.ts";

const LOGS_START = "==== START logs for container";
const LOGS_END = "==== END logs for container";
const OPEN_BRACE = 123;
const OPEN_BRACKET = 91;
/** A longer text is not parsed again only to find the place of its fault. */
const MAX_DIAGNOSED = 100_000_000;
const POSITION = /at position (\d+)/;

/** Whether a text is to be read as JSON: its first value, white space and logs apart, is an object or array of JSON. */
export function looksLikeJson(text: string): boolean {
  if (text.startsWith(LOGS_START)) return true;
  return /^\s*(?:\{\s*["}]|\[\s*[[{\]])/.test(text.slice(0, 4096));
}

/** Hands every object of the text to `sink`; returns what could not be read. Offsets count the units of `text`. */
export function readJsonObjects(text: JsonSource, sink: ObjectSink): readonly TextProblem[] {
  let at = skipWhite(text, 0);
  while (at < text.length) {
    if (text.startsWith(LOGS_START, at)) {
      at = skipWhite(text, lineAfter(text, endOfLogs(text, at)));
      continue;
    }
    const read = readValue(text, at, sink);
    if (read.problem !== null) return [read.problem];
    at = skipWhite(text, read.end);
  }
  return [];
}

/** A log that never ends takes the rest of the text. */
function endOfLogs(text: JsonSource, at: number): number {
  const end = text.indexOf(`\n${LOGS_END}`, at);
  return end < 0 ? text.length : end + 1;
}

function lineAfter(text: JsonSource, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

interface ReadValue {
  readonly end: number;
  readonly problem: TextProblem | null;
}

function readValue(text: JsonSource, at: number, sink: ObjectSink): ReadValue {
  if (text.charCodeAt(at) === OPEN_BRACKET) return readElements(text, at, sink);
  const rest = { start: at, end: text.length };
  if (text.charCodeAt(at) !== OPEN_BRACE) {
    return { end: at, problem: { offset: at, message: `JSON expected, found ${found(text, at)}`, lost: rest } };
  }
  const outline = outlineObject(text, at);
  if (outline === null) return { end: at, problem: syntaxProblem(text, rest) };
  if (outline.items === null)
    return { end: outline.end, problem: emitParsed(text, { start: at, end: outline.end }, sink) };
  const kind = textOf(parsedField(text, outline.fields.get("kind")));
  const apiVersion = textOf(parsedField(text, outline.fields.get("apiVersion")));
  if (!isListKind({ kind, items: [] })) {
    return { end: outline.end, problem: emitParsed(text, { start: at, end: outline.end }, sink) };
  }
  sink.list(apiVersion, kind);
  for (const item of outline.items) {
    const parsed = parse(text, item);
    if (parsed.problem !== null) return { end: item.start, problem: parsed.problem };
    emitItem(parsed.value, apiVersion, kind, item.start, sink);
  }
  return { end: outline.end, problem: null };
}

function readElements(text: JsonSource, at: number, sink: ObjectSink): ReadValue {
  const array = outlineArray(text, at);
  if (array.end < 0) return { end: at, problem: syntaxProblem(text, { start: at, end: text.length }) };
  for (const element of array.elements) {
    const problem = emitParsed(text, element, sink);
    if (problem !== null) return { end: element.start, problem };
  }
  return { end: array.end, problem: null };
}

function emitParsed(text: JsonSource, span: Span, sink: ObjectSink): TextProblem | null {
  const parsed = parse(text, span);
  if (parsed.problem === null) emitValue(parsed.value, span.start, [], sink);
  return parsed.problem;
}

function parsedField(text: JsonSource, span: Span | undefined): unknown {
  return span === undefined ? null : parse(text, span).value;
}

interface Parsed {
  readonly value: unknown;
  readonly problem: TextProblem | null;
}

function parse(text: JsonSource, span: Span): Parsed {
  const slice = text.slice(span.start, span.end);
  try {
    const value: unknown = JSON.parse(slice);
    return { value, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const position = POSITION.exec(error.message)?.[1];
    const offset = position === undefined ? span.end : span.start + Number(position);
    const message =
      skipWhite(text, offset) >= text.length
        ? "the JSON ends in the middle: the file is cut off"
        : `broken JSON: ${found(text, offset)} is not expected here`;
    return { value: null, problem: { offset, message, lost: span } };
  }
}

function syntaxProblem(text: JsonSource, span: Span): TextProblem {
  if (span.end - span.start > MAX_DIAGNOSED) {
    return { offset: span.start, message: "the JSON is broken or cut off", lost: { start: 0, end: 0 } };
  }
  return parse(text, span).problem ?? { offset: span.start, message: "broken JSON", lost: span };
}

function found(text: JsonSource, offset: number): string {
  const word = /^\S{1,20}/.exec(text.slice(offset, offset + 20))?.[0];
  return word === undefined ? "the end of the file" : JSON.stringify(word);
}
