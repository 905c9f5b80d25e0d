// YAML layer: one document of a file → our tree. Never throws; problems are collected.
//
// The reader (read/) goes first: it reads what Kubernetes reads, in one pass. Only what it cannot read goes through the
// `yaml` package (compose.ts), which recovers from errors and so gives an editor something to work with.
import { composeDocument } from "./compose.ts";
import { readDocument } from "./read/document.ts";
import type { ScannedDocument } from "./scan.ts";
import type { YamlDocument, YamlProblem } from "./tree.ts";

/** Parses one document of `text`; all spans are UTF-16 offsets in `text`. */
export function parseDocument(text: string, document: ScannedDocument): YamlDocument {
  const { span, head } = document;
  const source = text.slice(head, span.end);
  if (head !== span.start) return { ...composeDocument(source, head), span };
  // A document that starts on the line of its mark has the mark's dashes right before it.
  return parseSource(source, head, text[head - 1] === "-");
}

/** Parses a text that is one document, e.g. a configuration file or a ConfigMap's value. */
export function parseText(text: string): YamlDocument {
  return parseSource(text, 0, false);
}

/**
 * Whether Kubernetes refuses the document for this problem. A duplicate key alone is accepted (the last one counts)
 * unless strict validation is asked for.
 */
export function isFatal(problem: YamlProblem): boolean {
  return problem.code !== "duplicate-key";
}

const MOST_SYNTAX_PROBLEMS = 5;

function parseSource(source: string, start: number, inline: boolean): YamlDocument {
  const reading = readDocument(source, start, inline);
  if ("read" in reading) return reading.read;
  if ("tooDeep" in reading) {
    return { span: { start, end: start + source.length }, root: null, problems: [reading.tooDeep], aliases: [] };
  }
  const composed = composeDocument(source, start);
  if ("unusual" in reading) return composed;
  return {
    ...composed,
    problems: [reading.refused, ...furtherProblems(source, start, reading.refused, composed.problems)],
  };
}

/** The package repeats the first error in its own words, and finds more behind it, some of them only in its wake. */
function furtherProblems(
  source: string,
  start: number,
  first: YamlProblem,
  problems: readonly YamlProblem[],
): readonly YamlProblem[] {
  const line = (problem: YamlProblem) => source.lastIndexOf("\n", problem.span.start - start - 1);
  const seen = new Set([line(first)]);
  let left = MOST_SYNTAX_PROBLEMS - 1;
  return problems.filter((problem) => {
    if (problem.code !== "syntax" && problem.code !== "tab-indent") return true;
    if (seen.has(line(problem)) || left === 0) return false;
    seen.add(line(problem));
    left--;
    return true;
  });
}
