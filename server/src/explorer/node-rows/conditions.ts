// Explorer layer, node rows: the section "Conditions".
import type { RowState } from "../../../../shared/src/explorer.ts";
import type { NodeCondition } from "../../kube/node.ts";
import { duration, isoTime } from "../../report/time.ts";
import { faultSeverity, reportsFault } from "../../triage/read/condition.ts";
import { element, gravest } from "../element.ts";
import { absenceOf } from "../flap-text.ts";
import { type OpenedNode, type Section, unknownRow } from "./section.ts";

/** Ready, the pressures, then what others write. */
const FIRST: readonly string[] = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];

/** One row per condition: its status, since when, and in whose words. */
export function conditionSection({ cluster, facts }: OpenedNode): Section {
  const lately = absenceOf(cluster, facts.name, "Ready");
  const conditions = facts.node.conditions.toSorted((left, right) => rank(left) - rank(right));
  return {
    key: "conditions",
    label: "Conditions",
    description: summary(conditions),
    rows: (id) =>
      conditions.length === 0
        ? [unknownRow(id, "Conditions", "the node says none")]
        : conditions.map((condition) =>
            element({
              parent: id,
              key: condition.type,
              kind: "condition",
              label: condition.type,
              description: [
                condition.status + sinceText(condition.lastTransitionTime, cluster.facts.now),
                condition.reason,
                condition.type === "Ready" ? (lately?.text ?? "") : "",
              ]
                .filter((part) => part !== "")
                .join(" · "),
              tooltip: [
                condition.message,
                timeLine("Since", condition.lastTransitionTime),
                timeLine("Last heartbeat", condition.lastHeartbeatTime),
              ],
              state:
                condition.type === "Ready" && lately?.flaps === true
                  ? gravest([stateOfCondition(condition), "warning"])
                  : stateOfCondition(condition),
            }),
          ),
  };
}

function rank({ type }: NodeCondition): number {
  const index = FIRST.indexOf(type);
  return index < 0 ? FIRST.length : index;
}

function stateOfCondition(condition: NodeCondition): RowState {
  if (condition.type === "Ready") return condition.status === "True" ? "good" : "error";
  if (condition.status !== "True" && condition.status !== "False") return "unknown";
  return reportsFault(condition) ? faultSeverity(condition.type) : "good";
}

/** What the branch says: that the node is Ready, or what speaks against it. */
function summary(conditions: readonly NodeCondition[]): string {
  const faults = conditions.filter(reportsFault).map(({ type }) => type);
  const ready = conditions.find(({ type }) => type === "Ready");
  const first =
    ready === undefined ? "Ready is not said" : ready.status === "True" ? "Ready" : `Ready is ${ready.status}`;
  return [first, ...faults].join(", ");
}

/** ` for 12 min`; empty when either time is unknown. */
function sinceText(since: number | null, now: number | null): string {
  return since === null || now === null || now < since ? "" : ` for ${duration(now - since)}`;
}

function timeLine(what: string, time: number | null): string {
  return time === null ? "" : `${what} ${isoTime(time)}`;
}
