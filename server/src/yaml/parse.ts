// YAML layer: one scanned document → our tree. Never throws; problems are collected.

import { composeDocument } from "./compose.ts";
import type { ScannedDocument } from "./scan.ts";
import type { YamlDocument, YamlProblem } from "./tree.ts";

/** Parses one document of `text`; all spans are UTF-16 offsets in `text`. */
export function parseDocument(text: string, document: ScannedDocument): YamlDocument {
  const source = text.slice(document.head, document.span.end);
  return { ...composeDocument(source, document.head), span: document.span };
}

/** Parses a text that is one document (or the first of several), e.g. a configuration file. */
export function parseText(text: string): YamlDocument {
  return composeDocument(text, 0);
}

/**
 * Whether Kubernetes refuses the document for this problem. A duplicate key alone is accepted (the last one counts)
 * unless strict validation is asked for.
 */
export function isFatal(problem: YamlProblem): boolean {
  return problem.code !== "duplicate-key";
}
