// Triage layer, on the node: what is asked of a node's kubelet.
import type { OnNodeQuestions } from "../../cluster/on-node.ts";
import type { NodeFacts } from "../facts/node.ts";
import { KUBELET_PATTERN, RUNTIME_PATTERN } from "./log-kinds.ts";
import { logUnits } from "./log-units.ts";

const HOUR = 3_600_000;
/** Milliseconds of the log before the trouble began that are searched too. */
const BEFORE = 10 * 60_000;
const LONGEST = 24 * HOUR;
const LINES = 2_000;

/**
 * The questions for a node: its log since a little before the trouble began (`since`, null: unknown), at least an hour
 * and at most a day before `now`. Both in milliseconds since the epoch.
 */
export function onNodeQuestions(facts: NodeFacts, since: number | null, now: number): OnNodeQuestions {
  const begun = since === null ? now - HOUR : Math.min(now - HOUR, since - BEFORE);
  const from = Math.max(begun, now - LONGEST);
  const { kubelet, runtime } = logUnits(facts.node.info);
  return {
    node: facts.name,
    kubelet: { units: kubelet, pattern: KUBELET_PATTERN, since: from, lines: LINES },
    runtime: runtime === null ? null : { units: runtime, pattern: RUNTIME_PATTERN, since: from, lines: LINES },
  };
}
