// Features layer: whether a resource may be served through dynamic resource allocation, which nodes do not advertise.
import type { ClusterModel } from "../../cluster/model.ts";
import { isServedByDra } from "../../coverage/dra.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import type { JudgedCluster } from "./judge.ts";

/**
 * Whether DRA serves the resource: `yes`, `no`, or `unknown` where DeviceClasses were not read. Nodes then need not
 * advertise it.
 */
export function servedByDeviceClass(
  resource: string,
  model: Pick<ClusterModel, "deviceClasses" | "parts">,
): "yes" | "no" | "unknown" {
  if (isServedByDra(resource, model)) return "yes";
  return model.parts.deviceclasses === "known" ? "no" : "unknown";
}

/** Whether a node of the cluster lacks nothing but extended resources that DRA may serve. */
export function isShortOfUncertain(cluster: JudgedCluster): boolean {
  return cluster
    .groups()
    .some(
      ({ placement }) =>
        placement.verdict === "resource" &&
        placement.short.every(
          ({ resource }) => isExtendedResource(resource) && servedByDeviceClass(resource, cluster.model) !== "no",
        ),
    );
}
