// Report layer: the frame of a SARIF 2.1.0 log, the format that code scanning services read.
import type { DiagnosticCode, FindingCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import { VERSION } from "../../../shared/src/version.ts";
import type { CommonJson } from "./document.ts";
import { escapedJson } from "./printable.ts";
import { ruleText } from "./rules.ts";

type Code = DiagnosticCode | FindingCode;

/** SARIF's levels. */
export const SARIF_LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  information: "note",
  hint: "note",
};

/** What every result has; the rest (locations, fixes …) is the caller's. */
export interface SarifResult {
  readonly [field: string]: unknown;
  readonly ruleId: Code;
  readonly level: "error" | "warning" | "note";
  readonly message: { readonly text: string };
}

/** The log of one run, as text. In: results in order, what limits the answer, and what the run was about. */
export function sarifLog(results: readonly SarifResult[], notes: readonly string[], properties: CommonJson): string {
  const codes = [...new Set(results.map((result) => result.ruleId))].sort();
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
            toolExecutionNotifications: notes.map((text) => ({ level: "note", message: { text } })),
          },
        ],
        results: results.map((result) => ({ ...result, ruleIndex: codes.indexOf(result.ruleId) })),
        properties,
      },
    ],
  };
  return `${escapedJson(JSON.stringify(log, null, 2))}\n`;
}

function rule(code: Code): object {
  const text = ruleText(code);
  return { id: code, name: pascalCase(code), shortDescription: { text }, help: { text } };
}

function pascalCase(code: string): string {
  return code.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** A relative path as a URI reference, an absolute one as a file URI. */
export function uriOf(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]%3A\//.test(encoded)) return `file:///${encoded.replace("%3A", ":")}`;
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}
