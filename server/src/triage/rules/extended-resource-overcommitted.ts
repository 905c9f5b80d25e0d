// Triage rule extended-resource-overcommitted: requests above Allocatable.
import { isExtendedResource } from "../../kube/resources.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { hasEnded, podKey, podRef } from "../facts/pod-state.ts";
import { offerOf, servedByClaims } from "../facts/resources.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { offerEvidence } from "./extended-resource.ts";

/**
 * One warning per extended resource of which the pods on the node request more than it offers, as long as it offers
 * any: pods from before a loss still hold devices. Where it offers none, that is the finding.
 */
export function extendedResourceOvercommitted(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.ready === "Unknown" || node.node.allocatable === null) return [];
  return Object.entries(facts.index.requested(node)).flatMap(([resource, requested]) => {
    const offered = offerOf(node.node, resource).allocatable ?? 0;
    if (!isExtendedResource(resource) || offered <= 0 || requested <= offered) return [];
    if (servedByClaims(facts, node.name, resource)) return [];
    const holders = node.pods.filter(
      (pod) => pod.spec.nodeName !== "" && !hasEnded(pod) && (pod.spec.requests[resource] ?? 0) > 0,
    );
    return [
      symptom({
        code: "extended-resource-overcommitted",
        node: node.name,
        severity: "warning",
        message: `Pods on ${node.name} request ${formatAmount(resource, requested)} ${resource}, it offers ${formatAmount(resource, offered)}: pods from before a loss still hold devices.`,
        consequence: "If one of them restarts it may be refused, and no new one comes.",
        summary: `${resource} overcommitted`,
        advice: `Find the pod whose device is gone and delete it: ${holders.map(podKey).slice(0, 5).join(", ")}.`,
        evidence: [
          offerEvidence(node, resource),
          ...holders.slice(0, 3).map((pod) => ({
            text: `${podKey(pod)} requests ${pod.spec.requests[resource] ?? 0}`,
            at: pod.startTime,
            object: podRef(pod),
          })),
        ],
        about: { resources: [resource], pods: holders.map(podKey) },
      }),
    ];
  });
}
