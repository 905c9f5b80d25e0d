// Stand-in kubelets. There are no machines in the recording, so this writes what
// a kubelet would: the node's status and lease, the drivers in CSINode, the
// status of its pods, and the events of mounts that fail. Everything else in the
// dump is the doing of the real control plane.
import type { ApiClient, Json } from "../../../test/cluster/api.ts";
import { complainAboutMount, repeatComplaints, sharedVolumes } from "./mount-events.ts";
import { nodeStatus } from "./node-status.ts";
import { type Machine, machines } from "./nodes.ts";
import { podStatus } from "./pod-status.ts";

const devicePlugin = { namespace: "kube-system", app: "rdma-device-plugin", resource: "rdma/hca" };
const csiNodeDriver = { namespace: "storage", app: "files-csi-node", driver: "files.csi.example.com" };

/** How long a lease goes without renewal, in milliseconds; the node controller waits 50 s. */
const leaseInterval = 10_000;

const labelKey = "app.kubernetes.io/name";
const podsOn = (node: string) => `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`;

/** The kubelets of all machines. */
export interface Kubelets {
  /** One round over every node: what its kubelet would write now. */
  sync(): Promise<void>;
  /** Posts the conditions anew and repeats the complaints about mounts, as time passes in the story. */
  repeat(mountAttempts: number): Promise<void>;
}

/** Makes kubelets for machines whose Node objects exist. */
export function kubelets(api: ApiClient): Kubelets {
  const renewed = new Map<string, number>();
  const posted = new Map<string, string>();

  const syncNode = async (machine: Machine): Promise<void> => {
    await renewLease(api, machine.name, renewed);
    for (const pod of (await api.get(podsOn(machine.name))).items) await syncPod(api, machine, pod);
    const pods = (await api.get(podsOn(machine.name))).items;
    const hasDriver = pods.some((pod: Json) => runs(pod, csiNodeDriver));
    const hasPlugin = pods.some((pod: Json) => runs(pod, devicePlugin));
    await registerDriver(api, machine.name, hasDriver);
    // The kubelet names a resource for as long as it has known a plugin for it,
    // with 0 from five minutes after the plugin's end.
    const known = hasPlugin || (posted.get(machine.name)?.includes(devicePlugin.resource) ?? false);
    const adapters = known ? { [devicePlugin.resource]: hasPlugin ? `${machine.adapters}` : "0" } : {};
    const state = JSON.stringify(adapters);
    if (posted.get(machine.name) === state) return;
    await postStatus(api, machine, adapters);
    posted.set(machine.name, state);
  };

  return {
    async sync() {
      await Promise.all(machines.map(syncNode));
    },
    async repeat(mountAttempts) {
      for (const machine of machines) {
        const { status } = await api.get(`/api/v1/nodes/${machine.name}`);
        await postStatus(api, machine, pick(status.allocatable, devicePlugin.resource));
        renewed.delete(machine.name);
        await renewLease(api, machine.name, renewed);
      }
      await repeatComplaints(api, mountAttempts);
    },
  };
}

function pick(object: Readonly<Record<string, string>>, key: string): Readonly<Record<string, string>> {
  const value = object[key];
  return value === undefined ? {} : { [key]: value };
}

async function postStatus(api: ApiClient, machine: Machine, adapters: Readonly<Record<string, string>>): Promise<void> {
  const path = `/api/v1/nodes/${machine.name}`;
  await api.merge(`${path}/status`, { status: nodeStatus(machine, await api.get(path), adapters) });
}

function runs(pod: Json, component: { readonly namespace: string; readonly app: string }): boolean {
  return (
    pod.metadata.namespace === component.namespace &&
    pod.metadata.labels?.[labelKey] === component.app &&
    pod.status.phase === "Running" &&
    pod.metadata.deletionTimestamp === undefined
  );
}

async function renewLease(api: ApiClient, node: string, renewed: Map<string, number>): Promise<void> {
  const last = renewed.get(node);
  if (last !== undefined && Date.now() - last < leaseInterval) return;
  renewed.set(node, Date.now());
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const spec = {
    holderIdentity: node,
    leaseDurationSeconds: 40,
    renewTime: new Date().toISOString().replace("Z", "000Z"),
  };
  const { items } = await api.get(leases);
  if (items.some((lease: Json) => lease.metadata.name === node)) await api.merge(`${leases}/${node}`, { spec });
  else
    await api.create(leases, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: node, namespace: "kube-node-lease" },
      spec,
    });
}

/** What the kubelet writes when the registrar's socket comes or goes. */
async function registerDriver(api: ApiClient, node: string, present: boolean): Promise<void> {
  const csiNodes = "/apis/storage.k8s.io/v1/csinodes";
  const drivers = present ? [{ name: csiNodeDriver.driver, nodeID: node, topologyKeys: null }] : [];
  const { items } = await api.get(csiNodes);
  const found = items.find((item: Json) => item.metadata.name === node);
  if (found === undefined) {
    await api.create(csiNodes, {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: { name: node },
      spec: { drivers },
    });
  } else if ((found.spec.drivers ?? []).length !== drivers.length) {
    await api.merge(`${csiNodes}/${node}`, { spec: { drivers } });
  }
}

/** Confirms a deletion, or starts a pod that is bound and not started yet. */
async function syncPod(api: ApiClient, machine: Machine, pod: Json): Promise<void> {
  const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
  if (pod.metadata.deletionTimestamp !== undefined) {
    await api.delete(path, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
    return;
  }
  if (pod.status.phase !== "Pending" || pod.status.startTime !== undefined) return;
  const volumes = await sharedVolumes(api, pod);
  const csiNode = await api.get(`/apis/storage.k8s.io/v1/csinodes/${machine.name}`);
  const known = new Set((csiNode.spec.drivers ?? []).map((driver: Json) => driver.name));
  const unmounted = volumes.filter(({ driver }) => !known.has(driver));
  await api.merge(`${path}/status`, { status: podStatus(machine, pod, unmounted.length === 0) });
  for (const volume of unmounted) await complainAboutMount(api, machine, pod, volume);
}
