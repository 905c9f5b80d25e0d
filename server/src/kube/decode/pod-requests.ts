// Kubernetes data layer, decoding: what a pod asks of a node, all containers taken together.
import type { Container } from "../pod-spec.ts";
import type { Resources } from "../resources.ts";

/** What a pod spec says about resources as a whole. */
export interface PodResources {
  /** spec.resources.requests and limits (pod-level resources). */
  readonly requests: Resources;
  readonly limits: Resources;
  readonly overhead: Resources;
}

/**
 * The effective requests: the containers' sum, or the largest init container where that is more (each with the
 * sidecars started before it), replaced by pod-level requests where given, plus the overhead.
 * Source: k8s.io/component-helpers/resource PodRequests; pod-level defaults: pkg/apis/core/v1 SetDefaults_Pod.
 */
export function podRequests(containers: readonly Container[], pod: PodResources): Resources {
  const aggregated = aggregateContainers(containers);
  const levelled = applyPodLevel(aggregated, pod);
  return Object.keys(pod.overhead).length === 0 ? levelled : sum(levelled, pod.overhead);
}

function aggregateContainers(containers: readonly Container[]): Resources {
  let sidecars: Resources = {};
  let running: Resources = {};
  let starting: Resources = {};
  for (const container of containers) {
    if (container.type === "container") {
      running = sum(running, container.requests);
    } else if (container.type === "sidecar") {
      running = sum(running, container.requests);
      sidecars = sum(sidecars, container.requests);
      starting = larger(starting, sidecars);
    } else {
      starting = larger(starting, sum(sidecars, container.requests));
    }
  }
  return larger(running, starting);
}

/** Pod-level amounts count for cpu, memory and huge pages only; a pod-level limit is the request where nothing else is. */
function applyPodLevel(aggregated: Resources, pod: PodResources): Resources {
  const supported = (name: string) => name === "cpu" || name === "memory" || name.startsWith("hugepages-");
  const amounts: Record<string, number> = { ...aggregated };
  for (const [name, limit] of Object.entries(pod.limits)) {
    if (supported(name) && !(name in aggregated)) amounts[name] = limit;
  }
  for (const [name, request] of Object.entries(pod.requests)) {
    if (supported(name)) amounts[name] = request;
  }
  return amounts;
}

function sum(left: Resources, right: Resources): Resources {
  const amounts: Record<string, number> = { ...left };
  for (const [name, amount] of Object.entries(right)) amounts[name] = (amounts[name] ?? 0) + amount;
  return amounts;
}

function larger(left: Resources, right: Resources): Resources {
  const amounts: Record<string, number> = { ...left };
  for (const [name, amount] of Object.entries(right)) amounts[name] = Math.max(amounts[name] ?? amount, amount);
  return amounts;
}
