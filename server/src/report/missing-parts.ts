// Report layer: sentences on what a cluster lacks. Unknown is never clean, so every report carries them.
import { CLUSTER_PARTS, type ClusterModel, type ClusterPart, type PartState } from "../cluster/model.ts";
import { isExtendedResource } from "../kube/resources.ts";
import type { Workload } from "../kube/workload.ts";

/** What a missing part leaves unknown in a check of manifests; parts that a check never reads are left out. */
const UNKNOWN: Readonly<Partial<Record<ClusterPart, string>>> = {
  nodes: "nothing can be judged against nodes",
  daemonsets: "time bombs are unknown",
  pods: "which pods run, and so time bombs, are unknown",
  namespaces: "default node selectors and tolerations of namespaces are unknown",
  deviceclasses: "whether an extended resource is served by a DeviceClass is unknown",
};

/**
 * One sentence on the parts that the cluster lacks and a check would read; none where it lacks nothing.
 * `asksForDevices`: whether a workload that was judged requests an extended resource.
 */
export function missingNotes(cluster: ClusterModel, asksForDevices: boolean): readonly string[] {
  const lacking = CLUSTER_PARTS.flatMap((part) => {
    const unknown = UNKNOWN[part];
    const matters = part !== "deviceclasses" || asksForDevices;
    return unknown === undefined || cluster.parts[part] === "known" || !matters
      ? []
      : [`${part} ${stateText(cluster.parts[part])} (${unknown})`];
  });
  return lacking.length === 0 ? [] : [`${cluster.name}: ${lacking.join("; ")}.`];
}

/** Whether a workload requests an extended resource. */
export function requestsDevice(workload: Workload): boolean {
  return Object.keys(workload.template.requests).some(isExtendedResource);
}

function stateText(state: PartState): string {
  if (state === "forbidden") return "may not be read";
  if (state === "failed") return "could not be read";
  return "are not in the file";
}
