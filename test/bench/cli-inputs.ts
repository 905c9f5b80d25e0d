// Bench: the manifest and the cluster file of the small check.

/** A DaemonSet that half of the cluster's tainted nodes refuse. */
export function manifestFile(): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-exporter, namespace: monitoring}
spec:
  selector: {matchLabels: {app: node-exporter}}
  template:
    metadata: {labels: {app: node-exporter}}
    spec:
      hostPID: true
      tolerations:
        - {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}
      containers:
        - {name: exporter, image: "registry.example/node-exporter:1"}
      volumes:
        - {name: proc, hostPath: {path: /proc}}
        - {name: sys, hostPath: {path: /sys}}
`;
}

/** What `kubectl get nodes,daemonsets,pods -A -o yaml` prints, with as much text for each node as a real one has. */
export function clusterFile(nodes: number): string {
  const items = [daemonSet()];
  for (let index = 0; index < nodes; index += 1) items.push(node(index), pod(index));
  return `apiVersion: v1\nitems:\n${items.join("")}kind: List\nmetadata:\n  resourceVersion: ""\n`;
}

function daemonSet(): string {
  return `- apiVersion: apps/v1
  kind: DaemonSet
  metadata:
    creationTimestamp: "2026-01-10T08:05:00Z"
    name: node-exporter
    namespace: monitoring
    uid: ds-node-exporter
  spec:
    selector:
      matchLabels:
        app: node-exporter
    template:
      metadata:
        labels:
          app: node-exporter
      spec:
        containers:
        - image: registry.example/node-exporter:1
          name: exporter
    updateStrategy:
      type: RollingUpdate
`;
}

function node(index: number): string {
  const value = ["", "rdma", "gpu", "storage"][index % 4] ?? "";
  const taints =
    value === ""
      ? "  spec: {}\n"
      : `  spec:\n    taints:\n    - effect: NoSchedule\n      key: dedicated\n      value: ${value}\n`;
  const images = Array.from(
    { length: 20 },
    (_, image) =>
      `    - names:\n      - registry.example/image-${image}@sha256:${"0123456789abcdef".repeat(4)}\n      - registry.example/image-${image}:1.${index}\n      sizeBytes: ${1_000_000 + image * 7919}\n`,
  ).join("");
  const conditions = ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"]
    .map(
      (type) => `    - lastHeartbeatTime: "2026-03-02T09:58:00Z"
      lastTransitionTime: "2026-01-10T08:00:30Z"
      message: kubelet has sufficient resources available
      reason: Kubelet${type}
      status: "${type === "Ready" ? "True" : "False"}"
      type: ${type}
`,
    )
    .join("");
  return `- apiVersion: v1
  kind: Node
  metadata:
    annotations:
      node.alpha.kubernetes.io/ttl: "0"
      volumes.kubernetes.io/controller-managed-attach-detach: "true"
    creationTimestamp: "2026-01-10T08:00:00Z"
    labels:
      kubernetes.io/arch: amd64
      kubernetes.io/hostname: node-${index}
      kubernetes.io/os: linux
      topology.kubernetes.io/zone: zone-${index % 3}
      pool: ${value === "" ? "general" : value}
    name: node-${index}
    resourceVersion: "${1000 + index}"
    uid: node-uid-${index}
${taints}  status:
    addresses:
    - address: 10.0.0.${index % 250}
      type: InternalIP
    allocatable:
      cpu: 15890m
      ephemeral-storage: "95551679124"
      memory: 63421848Ki
      pods: "110"
    capacity:
      cpu: "16"
      ephemeral-storage: 103678472Ki
      memory: 65518848Ki
      pods: "110"
    conditions:
${conditions}    images:
${images}    nodeInfo:
      architecture: amd64
      kernelVersion: 6.1.0
      kubeletVersion: v1.37.2
      operatingSystem: linux
`;
}

function pod(index: number): string {
  return `- apiVersion: v1
  kind: Pod
  metadata:
    creationTimestamp: "2026-01-10T08:06:00Z"
    labels:
      app: node-exporter
    name: node-exporter-${index}
    namespace: monitoring
    ownerReferences:
    - apiVersion: apps/v1
      blockOwnerDeletion: true
      controller: true
      kind: DaemonSet
      name: node-exporter
      uid: ds-node-exporter
    uid: pod-uid-${index}
  spec:
    containers:
    - image: registry.example/node-exporter:1
      name: exporter
      resources: {}
    nodeName: node-${index}
  status:
    conditions:
    - lastTransitionTime: "2026-01-10T08:06:30Z"
      status: "True"
      type: Ready
    containerStatuses:
    - image: registry.example/node-exporter:1
      name: exporter
      ready: true
      restartCount: 0
      state:
        running:
          startedAt: "2026-01-10T08:06:20Z"
    phase: Running
    startTime: "2026-01-10T08:06:00Z"
`;
}
