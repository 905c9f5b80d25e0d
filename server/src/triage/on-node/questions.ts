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
 * Milliseconds that the query reaches further back than what is judged: the kubelet hands the time to journalctl without
 * a zone, which takes it for the node's local one. West of Greenwich the last hours would silently be missing.
 * Source: k8s.io/kubernetes/pkg/kubelet (dateLayout, getLoggingCmd).
 */
const ANY_ZONE = 12 * HOUR;

/**
 * The questions for a node: its log since a little before the trouble began (`trouble`, null: unknown), at least an hour
 * and at most a day before `now`. Both in milliseconds since the epoch.
 */
export function onNodeQuestions(facts: NodeFacts, trouble: number | null, now: number): OnNodeQuestions {
  const begun = trouble === null ? now - HOUR : Math.min(now - HOUR, trouble - BEFORE);
  const from = Math.max(begun, now - LONGEST);
  const { kubelet, runtime } = logUnits(facts.node.info);
  const since = from - ANY_ZONE;
  return {
    node: facts.name,
    from,
    kubelet: { units: kubelet, pattern: KUBELET_PATTERN, since, lines: LINES },
    runtime: runtime === null ? null : { units: runtime, pattern: RUNTIME_PATTERN, since, lines: LINES },
  };
}
