// Scheduling layer: a placement in words, one sentence that names node, taint, toleration or label.
import { formatTaint } from "../kube/taint.ts";
import { formatToleration } from "../kube/toleration.ts";
import { formatAmount } from "./amount.ts";
import type { Difference, Placement, SelectorMismatch, ShortResource, TaintAnswer } from "./verdict.ts";

/**
 * Why the placement's verdict is what it is, e.g. `dedicated=rdma:NoSchedule is not tolerated; closest is
 * dedicated=gpu:NoSchedule, whose value differs`. Without a full stop at the end.
 */
export function placementReason(placement: Placement): string {
  switch (placement.verdict) {
    case "affinity":
      return placement.mismatches.map(describeMismatch).join("; ");
    case "resource":
      return placement.short.map(describeShort).join("; ");
    case "keep":
    case "evict":
    case "taint":
      return placement.taints
        .filter((answer) => answer.toleratedBy === null)
        .map(describeUntolerated)
        .join("; ");
    case "run":
    case "fits":
      return describeFit(placement);
  }
}

function describeFit(placement: Placement): string {
  const tolerated = placement.taints.filter((answer) => answer.toleratedBy !== null).map(describeTolerated);
  const short = placement.short.map(describeShort);
  const parts = [...tolerated, ...short];
  return parts.length === 0 ? "nothing is in the way" : parts.join("; ");
}

/** `key=value:Effect is tolerated by …`, and by whom where the template does not say it. */
function describeTolerated(answer: TaintAnswer): string {
  if (answer.toleratedBy === null) return describeUntolerated(answer);
  const from = answer.tolerationIndex === null ? " (added to every DaemonSet pod)" : "";
  return `${formatTaint(answer.taint)} is tolerated by ${formatToleration(answer.toleratedBy)}${from}`;
}

/** `key=value:Effect is not tolerated`, with the closest toleration and what differs. */
export function describeUntolerated(answer: TaintAnswer): string {
  const head = `${formatTaint(answer.taint)} is not tolerated`;
  if (answer.closest === null) return head;
  const differs = answer.closest.differs.map((difference) => describeDifference(difference, answer)).join(" and ");
  return `${head}; closest is ${formatToleration(answer.closest.toleration)}: ${differs}`;
}

function describeDifference(difference: Difference, answer: TaintAnswer): string {
  const toleration = answer.closest?.toleration;
  const { taint } = answer;
  switch (difference) {
    case "key":
      return `its key is ${toleration?.key}, the taint's is ${taint.key}`;
    case "effect":
      return `its effect is ${toleration?.effect}, the taint's is ${taint.effect}`;
    case "value":
      return `its value is ${quote(toleration?.value ?? "")}, the taint's is ${quote(taint.value)}`;
    case "operator":
      return `operator ${quote(toleration?.operator ?? "")} matches nothing`;
    case "comparison-gate-off":
      return `${toleration?.operator} works only with the feature gate TaintTolerationComparisonOperators`;
    case "not-an-integer":
      return `${toleration?.operator} compares whole numbers, not ${quote(toleration?.value ?? "")} and ${quote(taint.value)}`;
    case "comparison":
      return `${taint.value} is not ${toleration?.operator === "Lt" ? "less" : "greater"} than ${toleration?.value}`;
  }
}

/** What the node has and what is wanted, e.g. `label pool is gpu, wanted rdma`. */
export function describeMismatch(mismatch: SelectorMismatch): string {
  const { where, key, operator, wanted, found } = mismatch;
  if (mismatch.problem !== null) return `${where} on ${key} matches no node: ${mismatch.problem}`;
  if (key === "") return "the required node affinity has no term that can match";
  const subject = key === "metadata.name" ? "the node's name" : `label ${key}`;
  const state = found === null ? `${subject} is absent` : `${subject} is ${quote(found)}`;
  return `${state}, ${where} wants ${describeWanted(operator, wanted)}`;
}

function describeWanted(operator: string, wanted: readonly string[]): string {
  const values = wanted.map(quote).join(" or ");
  switch (operator) {
    case "In":
      return values;
    case "NotIn":
      return `anything but ${values}`;
    case "Exists":
      return "it present";
    case "DoesNotExist":
      return "it absent";
    case "Gt":
      return `more than ${wanted.join(", ")}`;
    case "Lt":
      return `less than ${wanted.join(", ")}`;
    default:
      return `${operator} ${values}`;
  }
}

/** `4 nvidia.com/gpu requested, the node offers 2`, or that the node does not offer it at all. */
export function describeShort(short: ShortResource): string {
  const requested = `${formatAmount(short.resource, short.requested)} ${short.resource} requested`;
  if (!short.advertised) return `${requested}, the node does not offer it`;
  return `${requested}, the node can give ${formatAmount(short.resource, short.allocatable)}`;
}

function quote(text: string): string {
  return text === "" ? "empty" : text;
}
