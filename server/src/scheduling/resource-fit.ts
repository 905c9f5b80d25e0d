// Scheduling layer: what a pod asks of a node, and which of it the node cannot give.
import type { Resources } from "../kube/resources.ts";
import type { ShortResource } from "./verdict.ts";

/**
 * The resources of which the empty node has less than is requested, sorted by name; `pods` is among them where the node
 * says that it takes none. A node without status is unknown, never short, and a resource that nobody counts is never
 * lacking. Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources fitsRequest with nothing used.
 */
export function shortResources(requests: Resources, allocatable: Resources | null): readonly ShortResource[] {
  if (allocatable === null) return [];
  return lacking(requests, allocatable, allocatable.pods, {}, 0);
}

/**
 * As `shortResources`, with what other pods of the node hold taken off: `used` amounts and `usedPods` in number. Each
 * entry's `allocatable` is then what is left, never below zero.
 */
export function shortWithUsed(
  requests: Resources,
  allocatable: Resources | null,
  used: Resources,
  usedPods: number,
): readonly ShortResource[] {
  if (allocatable === null) return [];
  return lacking(requests, allocatable, allocatable.pods, used, usedPods);
}

function lacking(
  requests: Resources,
  allocatable: Resources,
  allowedPods: number | undefined,
  used: Resources,
  usedPods: number,
): readonly ShortResource[] {
  const short: ShortResource[] = [];
  for (const resource of Object.keys(requests)) {
    const requested = requests[resource] ?? 0;
    if (requested <= 0 || !isCounted(resource)) continue;
    const left = (allocatable[resource] ?? 0) - (used[resource] ?? 0);
    if (requested > left) {
      const advertised = Object.hasOwn(allocatable, resource);
      short.push({ resource, requested, allocatable: Math.max(left, 0), advertised });
    }
  }
  if (allowedPods !== undefined && usedPods + 1 > allowedPods) {
    short.push({ resource: "pods", requested: 1, allocatable: Math.max(allowedPods - usedPods, 0), advertised: true });
  }
  return short.length > 1 ? short.sort((a, b) => (a.resource < b.resource ? -1 : 1)) : short;
}

/** Resources the scheduler weighs. Source: k8s.io/kubernetes/pkg/scheduler/util IsScalarResourceName. */
function isCounted(resource: string): boolean {
  return (
    resource.includes("/") ||
    resource === "cpu" ||
    resource === "memory" ||
    resource === "ephemeral-storage" ||
    resource.startsWith("hugepages-") ||
    resource.startsWith("attachable-volumes-")
  );
}
