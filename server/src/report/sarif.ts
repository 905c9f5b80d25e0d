// Report layer: SARIF 2.1.0, the format that code scanning services read.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import { VERSION } from "../../../shared/src/version.ts";
import { formatRef } from "../kube/workload.ts";
import type { CheckReport } from "./check-report.ts";
import { commonJson } from "./document.ts";
import type { Problem, Range, RangedFix } from "./problem.ts";
import { ruleText } from "./rules.ts";

const LEVELS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  information: "note",
  hint: "note",
};

/**
 * The log of one run, as text. `relative` turns a path as it was named into one relative to the repository's root
 * (kept as it is where it lies outside).
 */
export function sarifText(report: CheckReport, relative: (path: string) => string): string {
  const codes = [...new Set(report.problems.map((problem) => problem.diagnostic.code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "taintwise", semanticVersion: VERSION, rules: codes.map(rule) } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: report.notes.map((text) => ({ level: "note", message: { text } })),
          },
        ],
        results: report.problems.map((problem) => result(problem, codes, relative)),
        properties: { ...commonJson(report.clusters), files: report.files },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(code: DiagnosticCode): object {
  const text = ruleText(code);
  return { id: code, name: pascalCase(code), shortDescription: { text }, help: { text } };
}

function pascalCase(code: string): string {
  return code.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

function result(problem: Problem, codes: readonly DiagnosticCode[], relative: (path: string) => string): object {
  const { diagnostic } = problem;
  const uri = uriOf(relative(problem.path));
  const named = diagnostic.workload === null ? null : formatRef(diagnostic.workload);
  return {
    ruleId: diagnostic.code,
    ruleIndex: codes.indexOf(diagnostic.code),
    level: LEVELS[diagnostic.severity],
    message: { text: diagnostic.message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: region(problem.range) },
        ...(named === null ? {} : { logicalLocations: [{ fullyQualifiedName: named, kind: "object" }] }),
      },
    ],
    // Lines move; what is meant does not.
    partialFingerprints: {
      "taintwise/v1": [diagnostic.code, named ?? "", diagnostic.cluster ?? "", ...diagnostic.taints].join("|"),
    },
    ...(problem.fixes.length === 0 ? {} : { fixes: problem.fixes.map((fix) => fixObject(fix, uri)) }),
    properties: {
      severity: diagnostic.severity,
      cluster: diagnostic.cluster,
      taints: diagnostic.taints,
      nodeCount: diagnostic.nodes.length,
    },
  };
}

function fixObject(fix: RangedFix, uri: string): object {
  return {
    description: { text: fix.title },
    artifactChanges: [
      {
        artifactLocation: { uri },
        replacements: fix.edits.map((edit) => ({
          deletedRegion: region(edit.range),
          insertedContent: { text: edit.newText },
        })),
      },
    ],
  };
}

/** SARIF counts lines and columns from 1; the end column is exclusive there too. */
function region(range: Range): object {
  return {
    startLine: range.start.line + 1,
    startColumn: range.start.character + 1,
    endLine: range.end.line + 1,
    endColumn: range.end.character + 1,
  };
}

/** A relative path as a URI reference, an absolute one as a file URI. */
function uriOf(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]%3A\//.test(encoded)) return `file:///${encoded.replace("%3A", ":")}`;
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}
