// Triage rule extended-resource-degraded: Allocatable below Capacity.
import { formatAmount } from "../../scheduling/amount.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { namedOn, offerOf, servedByClaims } from "../facts/resources.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { offerEvidence } from "./extended-resource.ts";

/**
 * One warning per extended resource of which some, not all, devices are unhealthy, or of which an earlier snapshot had
 * more in Capacity. A count that fell is hardware or driver; a key that is gone is the plugin chain.
 */
export function extendedResourceDegraded(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.young || node.ready === "Unknown") return [];
  return namedOn(node.node).flatMap((resource) => {
    const { capacity, allocatable } = offerOf(node.node, resource);
    if (capacity === null || allocatable === null || allocatable <= 0) return [];
    if (servedByClaims(facts, node.name, resource)) return [];
    const before = facts.options.baseline?.nodes.get(node.name)?.capacity?.[resource] ?? null;
    const lost = capacity - allocatable;
    const shrunk = before === null ? 0 : before - capacity;
    if (lost <= 0 && shrunk <= 0) return [];
    const amount = (value: number) => formatAmount(resource, value);
    const [missing, of] = lost > 0 ? [lost, capacity] : [shrunk, before ?? 0];
    return [
      symptom({
        code: "extended-resource-degraded",
        node: node.name,
        severity: "warning",
        message: `${node.name} has lost ${amount(missing)} of ${amount(of)} ${resource}: ${
          lost > 0 ? "its plugin reports them unhealthy" : "an earlier snapshot had more"
        }.`,
        consequence:
          "Fewer pods fit, and a pod that holds a lost device fails. The plugin works, so this is hardware or its driver.",
        summary: `${amount(missing)} of ${amount(of)} ${resource} lost`,
        advice: `Look at the device: dmesg -T on ${node.name}, and the plugin's log. For a GPU that fell off the bus: drain and reboot, and replace it if it is lost again.`,
        evidence: [
          offerEvidence(node, resource),
          ...(shrunk > 0
            ? [
                {
                  text: `Capacity was ${amount(before ?? 0)} in the earlier snapshot`,
                  at: facts.options.baseline?.observedAt ?? null,
                  object: null,
                },
              ]
            : []),
        ],
        about: { resources: [resource] },
      }),
    ];
  });
}
