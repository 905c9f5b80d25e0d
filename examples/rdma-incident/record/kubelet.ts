// Stand-in kubelets. There are no machines in the recording, so this writes what
// a kubelet would: the node's status and lease, the drivers in CSINode, the
// status of its pods, and the events of mounts that fail. Everything else in the
// dump is the doing of the real control plane.
import { createHash } from "node:crypto";
import type { ApiClient, Json } from "../../../test/cluster/api.ts";
import { type Machine, machines } from "./nodes.ts";

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
      const events = (await api.get("/api/v1/events?fieldSelector=reason%3DFailedMount")).items;
      for (const { metadata, message } of events) {
        await api.merge(`/api/v1/namespaces/${metadata.namespace}/events/${metadata.name}`, {
          // Waiting for the volumes times out about every two minutes, trying to mount backs off to the same.
          count: message.startsWith("Unable") ? mountAttempts - 6 : mountAttempts,
          lastTimestamp: timestamp(),
        });
      }
    },
  };
}

function pick(object: Readonly<Record<string, string>>, key: string): Readonly<Record<string, string>> {
  const value = object[key];
  return value === undefined ? {} : { [key]: value };
}

function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+/, "");
}

function hash(...words: readonly string[]): string {
  return createHash("sha256").update(words.join("\n")).digest("hex");
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

async function postStatus(api: ApiClient, machine: Machine, adapters: Readonly<Record<string, string>>): Promise<void> {
  const node = await api.get(`/api/v1/nodes/${machine.name}`);
  const heartbeat = timestamp();
  const condition = (type: string, status: string, reason: string, message: string) => {
    const before = (node.status.conditions ?? []).find((c: Json) => c.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : heartbeat;
    return { type, status, reason, message, lastHeartbeatTime: heartbeat, lastTransitionTime };
  };
  const offered = (reservedCpu: number, reservedMemory: number) => ({
    cpu: `${machine.cpu * 1000 - reservedCpu}m`.replace(/000m$/, ""),
    "ephemeral-storage": "921503136Ki",
    memory: `${machine.memory - reservedMemory}Ki`,
    pods: "110",
    ...adapters,
  });
  await api.merge(`/api/v1/nodes/${machine.name}/status`, {
    status: {
      addresses: [
        { type: "InternalIP", address: machine.address },
        { type: "Hostname", address: machine.name },
      ],
      capacity: offered(0, 0),
      allocatable: offered(200, 1_048_576),
      conditions: [
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: "amd64",
        bootID: uuid("boot", machine.name),
        containerRuntimeVersion: "containerd://2.2.1",
        kernelVersion: "6.8.0-90-generic",
        kubeProxyVersion: "",
        kubeletVersion: "v1.37.2",
        machineID: hash("machine", machine.name).slice(0, 32),
        operatingSystem: "linux",
        osImage: "Ubuntu 24.04.3 LTS",
        systemUUID: uuid("system", machine.name),
      },
    },
  });
}

/** A stable UUID made of words. */
export function uuid(...words: readonly string[]): string {
  const digits = hash(...words);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
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
  const driverKnown = (csiNode.spec.drivers ?? []).some((driver: Json) => driver.name === csiNodeDriver.driver);
  const mounted = volumes.length === 0 || driverKnown;
  await api.merge(`${path}/status`, { status: podStatus(machine, pod, mounted) });
  if (!mounted) for (const volume of volumes) await complainAboutMount(api, machine, pod, volume);
}

interface SharedVolume {
  /** Name in the pod. */
  readonly name: string;
  readonly persistentVolume: string;
}

async function sharedVolumes(api: ApiClient, pod: Json): Promise<readonly SharedVolume[]> {
  const claims = (pod.spec.volumes ?? []).filter((volume: Json) => volume.persistentVolumeClaim !== undefined);
  return Promise.all(
    claims.map(async (volume: Json) => {
      const claim = await api.get(
        `/api/v1/namespaces/${pod.metadata.namespace}/persistentvolumeclaims/${volume.persistentVolumeClaim.claimName}`,
      );
      return { name: volume.name, persistentVolume: claim.spec.volumeName };
    }),
  );
}

function podStatus(machine: Machine, pod: Json, mounted: boolean): object {
  const started = timestamp();
  const names = pod.spec.containers.map((container: Json) => container.name).join(" ");
  const unready = mounted
    ? {}
    : { reason: "ContainersNotReady", message: `containers with unready status: [${names}]` };
  const condition = (type: string, good: boolean, why: object = {}) => ({
    type,
    status: good ? "True" : "False",
    lastProbeTime: null,
    lastTransitionTime: started,
    observedGeneration: pod.metadata.generation,
    ...why,
  });
  // From what the pod is, not from its random name, so that recordings agree.
  const seed = hash(pod.metadata.namespace, pod.metadata.generateName, machine.name);
  const address = pod.spec.hostNetwork
    ? machine.address
    : `10.244.${machines.indexOf(machine)}.${10 + (Number.parseInt(seed.slice(0, 4), 16) % 200)}`;
  const image = (container: Json) => ({
    name: container.name,
    image: container.image,
    imageID: mounted ? `${container.image.replace(/:[^:]*$/, "")}@sha256:${hash(container.image)}` : "",
    restartCount: 0,
  });
  const id = (container: Json) => `containerd://${hash(seed, container.name, container.image)}`;
  const inits = pod.spec.initContainers ?? [];
  return {
    phase: mounted ? "Running" : "Pending",
    conditions: [
      condition("PodReadyToStartContainers", mounted),
      condition("Initialized", true),
      condition("Ready", mounted, unready),
      condition("ContainersReady", mounted, unready),
      ...pod.status.conditions.filter((c: Json) => c.type === "PodScheduled"),
    ],
    hostIP: machine.address,
    hostIPs: [{ ip: machine.address }],
    ...(mounted && { podIP: address, podIPs: [{ ip: address }] }),
    startTime: started,
    ...(inits.length > 0 && {
      initContainerStatuses: inits.map((container: Json) => ({
        ...image(container),
        ...(mounted && { containerID: id(container) }),
        ready: mounted,
        started: false,
        state: mounted
          ? {
              terminated: {
                containerID: id(container),
                exitCode: 0,
                reason: "Completed",
                startedAt: started,
                finishedAt: started,
              },
            }
          : { waiting: { reason: "PodInitializing" } },
      })),
    }),
    containerStatuses: pod.spec.containers.map((container: Json) => ({
      ...image(container),
      ...(mounted && { containerID: id(container) }),
      ready: mounted,
      started: mounted,
      state: mounted ? { running: { startedAt: started } } : { waiting: { reason: "ContainerCreating" } },
    })),
  };
}

/** The two events of a mount whose driver is not registered: the try, and the wait for it. */
async function complainAboutMount(api: ApiClient, machine: Machine, pod: Json, volume: SharedVolume): Promise<void> {
  const messages = [
    `MountVolume.MountDevice failed for volume "${volume.persistentVolume}" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${csiNodeDriver.driver} not found in the list of registered CSI drivers`,
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
