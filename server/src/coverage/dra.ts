// Coverage layer: resources that come from DRA and not from a device plugin, so that Allocatable says nothing of them.
import type { ClusterModel } from "../cluster/model.ts";
import type { PodSpec } from "../kube/pod-spec.ts";

const CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

/** Whether a DeviceClass of the cluster serves the resource, by its extendedResourceName or by its own name. */
export function isServedByDra(resource: string, cluster: Pick<ClusterModel, "deviceClasses">): boolean {
  return (
    resource.startsWith(CLASS_PREFIX) ||
    cluster.deviceClasses.some((one) => one.extendedResourceName === resource && resource !== "")
  );
}

/** The resources that DeviceClasses serve, as one text to compare two models by. */
export function draServes(cluster: Pick<ClusterModel, "deviceClasses">): string {
  return cluster.deviceClasses.map((one) => one.extendedResourceName).join();
}

/**
 * The spec without requests that DRA serves: the scheduler's resource filter leaves them to another plugin.
 * Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources shouldDelegateResourceToDRA.
 */
export function withoutServed(spec: PodSpec, cluster: Pick<ClusterModel, "deviceClasses">): PodSpec {
  const served = Object.keys(spec.requests).filter((resource) => isServedByDra(resource, cluster));
  if (served.length === 0) return spec;
  const requests = Object.fromEntries(Object.entries(spec.requests).filter(([resource]) => !served.includes(resource)));
  return { ...spec, requests };
}
