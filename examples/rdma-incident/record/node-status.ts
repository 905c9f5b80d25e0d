// What a kubelet reports of its node.
import type { Json } from "../../../test/cluster/api.ts";
import type { Machine } from "./nodes.ts";
import { hash, timestamp, uuid } from "./stable.ts";

/** The status of a node that is well; `node` is the object as it is, `adapters` the device resources it offers. */
export function nodeStatus(machine: Machine, node: Json, adapters: Readonly<Record<string, string>>): object {
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
  return {
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
  };
}
