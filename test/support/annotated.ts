// Test support: manifests annotated with the diagnostics they should have.
//
//     key: node.kubernetes.io/master
//     #    ^^^^^^^^^^^^^^^^^^^^^^^^^ information toleration-unmatched: part of the message
//
// The carets stand under the text that is underlined (to the end of its first line); the first two columns cannot be
// marked. Every diagnostic must be
// annotated: an unexpected one fails the test. `$0` marks the cursor for fixes.
import { expect } from "vitest";
import type { Diagnostic, Fix } from "../../server/src/features/diagnostic.ts";
import { applyEdits, diagnose, type Judging } from "./judge.ts";

const ANNOTATION = /^\s*#[ \t]*\^+ (?:error|warning|information|hint) [a-z-]+/;

/** Judges the manifest without its annotations and compares them, line by line, with what was found. */
export function check(annotated: string, judging: Judging = {}): readonly Diagnostic[] {
  const lines = unindent(annotated).split("\n");
  const text = lines.filter((line) => !ANNOTATION.test(line)).join("\n");
  const diagnostics = diagnose(text, judging);
  expect(annotate(text, diagnostics, lines).join("\n")).toBe(lines.join("\n"));
  return diagnostics;
}

/** A text whose lines are indented alike, without that indentation and without its first line end. */
export function unindent(text: string): string {
  const lines = text.replace(/^\n/, "").split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join("\n");
}

/** The text with an annotation under each line of a diagnostic; shortened messages of `wanted` stay short where they hold. */
function annotate(text: string, diagnostics: readonly Diagnostic[], wanted: readonly string[]): readonly string[] {
  let offset = 0;
  return text.split("\n").flatMap((line) => {
    const start = offset;
    offset += line.length + 1;
    const here = diagnostics.filter(({ span }) => span.start >= start && span.start < offset);
    return [line, ...here.map((diagnostic) => annotation(diagnostic, line, start, wanted))];
  });
}

function annotation(
  { span, severity, code, message }: Diagnostic,
  line: string,
  start: number,
  wanted: readonly string[],
): string {
  const from = span.start - start;
  const to = Math.max(from + 1, Math.min(span.end - start, line.length));
  const indent = line.length - line.trimStart().length;
  const hash = indent + 1 < from ? indent : Math.max(indent - 2, 0);
  const first = Math.max(from, hash + 2);
  const marks = `${" ".repeat(hash)}#${" ".repeat(first - hash - 1)}${"^".repeat(Math.max(to - first, 1))}`;
  const head = `${marks} ${severity} ${code}`;
  const short = wanted.find((other) => other.startsWith(`${head}: `) && message.includes(other.slice(head.length + 2)));
  return short ?? (wanted.includes(head) ? head : `${head}: ${message}`);
}

/** The fixes of the diagnostic of `code` under the cursor (`$0`), or of the only one. */
export function fixesAt(
  marked: string,
  code: string,
  judging: Judging = {},
): { readonly text: string; readonly fixes: readonly Fix[] } {
  const source = unindent(marked);
  const cursor = source.indexOf("$0");
  const text = source.replace("$0", "");
  const found = diagnose(text, judging).filter((diagnostic) => diagnostic.code === code);
  const here = cursor < 0 ? found : found.filter(({ span }) => cursor >= span.start && cursor <= span.end);
  expect(here.map((diagnostic) => diagnostic.code)).toEqual([code]);
  return { text, fixes: here.flatMap((diagnostic) => diagnostic.fixes) };
}

/**
 * The manifest after the fix of that title. Fails when the fix is not offered, leaves its diagnostic, or brings a new
 * one.
 */
export function fixed(marked: string, code: string, title: string, judging: Judging = {}): string {
  const { text, fixes } = fixesAt(marked, code, judging);
  const fix = fixes.find((candidate) => candidate.title === title);
  expect(fixes.map((candidate) => candidate.title)).toContain(title);
  const after = applyEdits(text, fix?.edits ?? []);
  const before = diagnose(text, judging).map(identity);
  const now = diagnose(after, judging).map(identity);
  expect(now.filter((entry) => !before.includes(entry))).toEqual([]);
  expect(now.length).toBeLessThan(before.length);
  return after;
}

/** What makes two diagnostics of two texts the same. */
function identity({ code, workload, message, severity }: Diagnostic): string {
  return `${severity} ${code} ${workload?.kind}/${workload?.name}: ${message}`;
}

/** An object of an apps kind around a pod spec, which may carry annotations; containers are added where it has none. */
export function workload(kind: string, podSpec: string, name = "app"): string {
  const spec = unindent(podSpec).trimEnd();
  const whole = /^(?:containers|<<):/m.test(spec) ? spec : `${spec}\ncontainers: [{name: c, image: i}]`;
  const lines = whole.split("\n").map((line) => (line === "" ? line : `      ${line}`));
  return [
    "apiVersion: apps/v1",
    `kind: ${kind}`,
    `metadata: {name: ${name}}`,
    "spec:",
    "  selector: {matchLabels: {app: a}}",
    "  template:",
    "    metadata: {labels: {app: a}}",
    "    spec:",
    ...lines,
    "",
  ].join("\n");
}
