// Scheduling layer: what a pod asks of an empty node, and which of it the node could never give.
import type { Resources } from "../kube/resources.ts";
import type { ShortResource } from "./verdict.ts";

/**
 * The resources of which the empty node has less than is requested, sorted by name. A node without status is unknown,
 * never short. A request of zero never lacks anything. Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins
 * noderesources.fitsRequest with nothing used, but for the count of pods: an empty node always takes one.
 */
export function shortResources(requests: Resources, allocatable: Resources | null): readonly ShortResource[] {
  if (allocatable === null) return [];
  const short: ShortResource[] = [];
  for (const resource of Object.keys(requests).sort()) {
    const requested = requests[resource] ?? 0;
    const offered = allocatable[resource] ?? 0;
    if (requested > 0 && requested > offered) {
      short.push({ resource, requested, allocatable: offered, advertised: Object.hasOwn(allocatable, resource) });
    }
  }
  return short;
}
