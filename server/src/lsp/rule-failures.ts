// LSP layer: rules that failed, told once each: every key stroke would say it again.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import { describeError, type ServerLog } from "./boundary.ts";

/** Writes a line for a rule's error unless the same one was written before. */
export function ruleFailureTeller(log: ServerLog): (code: DiagnosticCode, error: unknown) => void {
  const told = new Set<string>();
  return (code, error) => {
    // The stack differs by who asked.
    const mark = `${code} ${error}`;
    if (told.has(mark)) return;
    told.add(mark);
    log.error(`the rule ${code} failed: ${describeError(error)}`);
  };
}
