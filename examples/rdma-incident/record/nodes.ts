// The machines of the story.

/** A machine: what a kubelet would say of it. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  readonly instanceType: string;
  readonly cpu: number;
  /** Ki */
  readonly memory: number;
  /** RDMA adapters, offered as rdma/hca while the device plugin runs. */
  readonly adapters: number;
}

const general = { "example.com/pool": "general" };
const rdma = {
  "example.com/pool": "rdma",
  "example.com/local-disks": "true",
  "feature.node.kubernetes.io/rdma.capable": "true",
};
const small = { instanceType: "general-16", cpu: 16, memory: 65_536_000, adapters: 0 };
const big = { instanceType: "rdma-8x400", cpu: 96, memory: 1_056_768_000, adapters: 8 };

export const machines: readonly Machine[] = [
  {
    name: "cp-1",
    address: "192.0.2.10",
    labels: { "node-role.kubernetes.io/control-plane": "" },
    taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }],
    ...small,
  },
  { name: "worker-1", address: "192.0.2.21", labels: general, ...small },
  { name: "worker-2", address: "192.0.2.22", labels: { ...general, "example.com/local-disks": "true" }, ...small },
  { name: "rdma-1", address: "192.0.2.31", labels: rdma, ...big },
  { name: "rdma-2", address: "192.0.2.32", labels: rdma, ...big },
];

/** The Node object as the kubelet registers it. `index` numbers its pod network. */
export function registration(machine: Machine, index: number): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: machine.name,
      labels: {
        "kubernetes.io/hostname": machine.name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": machine.instanceType,
        ...machine.labels,
      },
    },
    spec: {
      podCIDR: `10.244.${index}.0/24`,
      podCIDRs: [`10.244.${index}.0/24`],
      ...(machine.taints && { taints: machine.taints }),
    },
  };
}
