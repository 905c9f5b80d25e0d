// Explorer layer, reports: one step of an investigation.

/** `ok`: looked at and clean; `found`: something is wrong; the others: could not be looked at, and why. */
export type StepState =
  | "ok"
  | "found"
  | "not allowed"
  | "not in what was read"
  | "not enabled on this node"
  | "not asked"
  | "failed";

export interface InvestigationStep {
  readonly title: string;
  readonly state: StepState;
  /** What was seen, one sentence each. */
  readonly seen: readonly string[];
  /** The same by hand: command lines, the nearest first; at least one. */
  readonly commands: readonly string[];
}
