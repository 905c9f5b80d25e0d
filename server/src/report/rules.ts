// Report layer: one sentence for each diagnostic code, for formats that list the rules.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";

const RULES: Readonly<Record<DiagnosticCode, string>> = {
  "yaml-problem": "A document that holds a workload cannot be read.",
  "toleration-gap": "Nodes that the workload is meant for carry taints that it does not tolerate.",
  "toleration-time-bomb": "A pod runs on a node whose taints it does not tolerate: it would not come back.",
  unschedulable: "No node can take the workload's pods.",
  "toleration-invalid": "The API server refuses the toleration.",
  "toleration-value-type": "Kubernetes reads an unquoted scalar as a boolean or a number where it needs a string.",
  "toleration-misplaced": "A scheduling field stands at a level where it is ignored.",
  "toleration-duplicate": "A toleration is written twice, or equals one that the controller adds.",
  "toleration-unmatched": "No taint of the cluster matches the toleration.",
  "toleration-blanket": "A toleration without a key tolerates every taint.",
  "toleration-defeats-drain": "The workload tolerates cordoned nodes, so its pods come back while a node is drained.",
  "toleration-eviction": "A toleration of a NoExecute taint ends in eviction, or its seconds are overwritten.",
  "toleration-attracts-nothing": "The workload tolerates a dedicated pool, but nothing keeps its pods there.",
  "selector-unmatched": "No node satisfies the node selector or the required node affinity.",
  "os-selector-missing": "The cluster has nodes of several operating systems, and the workload names none.",
  "virtual-node-reached": "A DaemonSet tolerates its way onto nodes that cannot host its pods.",
  "admission-selector": "The namespace's default node selector contradicts the DaemonSet's.",
  "extended-resource-unavailable": "No feasible node offers the requested extended resource.",
  "extended-resource-invalid": "The API server refuses the amounts of an extended resource.",
  "template-drift": "The live object's scheduling fields differ from the file's.",
};

/** What a code means, in one sentence. */
export function ruleText(code: DiagnosticCode): string {
  return RULES[code];
}
