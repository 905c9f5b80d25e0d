// What a kubelet reports of a pod that it has started, or that waits for its volumes.
import type { Json } from "../../../test/cluster/api.ts";
import { type Machine, machines } from "./nodes.ts";
import { hash, timestamp } from "./stable.ts";

/** The status of a pod bound to the machine: Running, or ContainerCreating while its volumes are not mounted. */
export function podStatus(machine: Machine, pod: Json, mounted: boolean): object {
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
