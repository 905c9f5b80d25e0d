// Volumes that pods claim, and what a kubelet says when it cannot mount them.
import type { ApiClient, Json } from "../../../test/cluster/api.ts";
import type { Machine } from "./nodes.ts";
import { hash, timestamp } from "./stable.ts";

/** A claim of a pod, bound to a volume of a CSI driver. */
export interface SharedVolume {
  /** Name in the pod. */
  readonly name: string;
  readonly persistentVolume: string;
  readonly driver: string;
}

/** The volumes that the pod claims. */
export async function sharedVolumes(api: ApiClient, pod: Json): Promise<readonly SharedVolume[]> {
  const claims = (pod.spec.volumes ?? []).filter((volume: Json) => volume.persistentVolumeClaim !== undefined);
  return Promise.all(
    claims.map(async (volume: Json) => {
      const claim = await api.get(
        `/api/v1/namespaces/${pod.metadata.namespace}/persistentvolumeclaims/${volume.persistentVolumeClaim.claimName}`,
      );
      const persistentVolume = claim.spec.volumeName;
      const { spec } = await api.get(`/api/v1/persistentvolumes/${persistentVolume}`);
      return { name: volume.name, persistentVolume, driver: spec.csi.driver };
    }),
  );
}

/** The two events of a mount whose driver is not registered: the try, and the wait for it. */
export async function complainAboutMount(
  api: ApiClient,
  machine: Machine,
  pod: Json,
  volume: SharedVolume,
): Promise<void> {
  const messages = [
    `MountVolume.MountDevice failed for volume "${volume.persistentVolume}" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${volume.driver} not found in the list of registered CSI drivers`,
    `Unable to attach or mount volumes: unmounted volumes=[${volume.name}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
  ];
  for (const message of messages) {
    await api.create(`/api/v1/namespaces/${pod.metadata.namespace}/events`, {
      apiVersion: "v1",
      kind: "Event",
      metadata: {
        name: `${pod.metadata.name}.${hash(pod.metadata.uid, message).slice(0, 16)}`,
        namespace: pod.metadata.namespace,
      },
      involvedObject: {
        apiVersion: "v1",
        kind: "Pod",
        name: pod.metadata.name,
        namespace: pod.metadata.namespace,
        uid: pod.metadata.uid,
      },
      type: "Warning",
      reason: "FailedMount",
      message,
      source: { component: "kubelet", host: machine.name },
      reportingComponent: "kubelet",
      reportingInstance: machine.name,
      count: 1,
      firstTimestamp: timestamp(),
      lastTimestamp: timestamp(),
    });
  }
}

/** Writes the complaints again, as `attempts` later ones. */
export async function repeatComplaints(api: ApiClient, attempts: number): Promise<void> {
  const events = (await api.get("/api/v1/events?fieldSelector=reason%3DFailedMount")).items;
  for (const { metadata, message } of events) {
    await api.merge(`/api/v1/namespaces/${metadata.namespace}/events/${metadata.name}`, {
      // Waiting for the volumes times out about every two minutes, trying to mount backs off to the same.
      count: message.startsWith("Unable") ? attempts - 6 : attempts,
      lastTimestamp: timestamp(),
    });
  }
}
