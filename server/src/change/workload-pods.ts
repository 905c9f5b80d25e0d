// Change layer: the pods of a workload.
import type { ClusterModel } from "../cluster/model.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";

/** The pods that the workload's controller made, through its ReplicaSets where it has such. */
export function podsOf(model: ClusterModel, workload: Pick<Workload, "uid">): readonly ClusterPod[] {
  const owners = new Set([workload.uid]);
  for (const { kind, uid, controller } of model.workloads) {
    if (kind === "ReplicaSet" && controller?.uid === workload.uid) owners.add(uid);
  }
  return model.pods.filter(({ controller }) => controller !== null && owners.has(controller.uid));
}
