// Report layer: one sentence for each code of a diagnostic or a finding, for formats that list the rules.
import type { DiagnosticCode, FindingCode } from "../../../shared/src/codes.ts";

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

const FINDINGS: Readonly<Record<FindingCode, string>> = {
  "node-not-ready": "The kubelet posts that its node is not ready.",
  "node-unknown": "The kubelet has stopped posting, or has never posted.",
  "node-flapping": "Ready comes and goes.",
  "node-condition": "Another condition than Ready reports a fault.",
  "node-warning": "The node itself warns again and again, and no condition says so.",
  "node-unschedulable": "The node is cordoned.",
  "node-not-initialized": "An owner that prepares nodes has not finished.",
  "node-version-skew": "Kubelet and API servers are outside the supported skew.",
  "node-clock-skew": "The node's own timestamps contradict the server's.",
  "taint-left-behind": "A taint whose reason is over is still there.",
  "platform-pod-missing": "A platform DaemonSet has no living pod on a node that needs it.",
  "platform-pod-not-ready": "A platform DaemonSet has a pod on the node, and it does not work.",
  "platform-pod-time-bomb": "A platform pod runs, and would not come back.",
  "extended-resource-gone": "A node offers none of a device resource that it should offer.",
  "extended-resource-degraded": "Some of a node's devices are lost.",
  "extended-resource-overcommitted": "Pods request more of a device resource than the node offers.",
  "csi-driver-missing": "A storage driver of the cluster is not registered on the node.",
  "image-pull-failing": "An image cannot be pulled on the node.",
  "pod-pending": "A pod that only this node, or its kind, could take waits for it.",
  "pod-stuck-creating": "A bound pod does not start.",
  "pod-rejected": "The kubelet refused a pod at admission.",
  "pods-evicted": "The kubelet evicted or refused pods for pressure.",
  "pod-stuck-terminating": "A pod should be gone and is still there.",
};

const TEXTS: Readonly<Record<DiagnosticCode | FindingCode, string>> = { ...RULES, ...FINDINGS };

/** What a code means, in one sentence. */
export function ruleText(code: DiagnosticCode | FindingCode): string {
  return TEXTS[code];
}
