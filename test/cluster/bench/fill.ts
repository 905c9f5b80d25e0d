// Fills a control plane with thousands of nodes and pods. The API server writes one object of each kind; the others are
// that one's stored bytes with names of equal length put in, written straight to etcd: what the server then reads is
// what it would have written, and no hour passes.
import { randomUUID } from "node:crypto";
import type { ControlPlane } from "../control-plane.ts";

export interface Size {
  readonly nodes: number;
  readonly podsPerNode: number;
}

const NAMESPACE = "default";
/** Puts in one transaction; etcd allows 128. */
const BATCH = 100;
/** The number that stands for a node's in the objects that are copied; as long as any other. */
const MODEL = 99_999;
const number = (index: number): string => String(index).padStart(5, "0");

/**
 * Writes `size.nodes` nodes with their leases and `podsPerNode` running pods each. The API server is stopped while
 * etcd is written to, so that it reads everything anew.
 */
export async function fill(cluster: ControlPlane, size: Size, say: (line: string) => void): Promise<void> {
  const started = Date.now();
  await cluster.api.create("/api/v1/nodes", node());
  await cluster.api.create("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", lease());
  for (let kind = 0; kind < size.podsPerNode; kind++) {
    const { metadata } = await cluster.api.create(`/api/v1/namespaces/${NAMESPACE}/pods`, pod(kind));
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}`;
    const created = await cluster.api.get(path);
    await cluster.api.replace(`${path}/status`, { ...created, status: podStatus(kind) });
  }
  const models = [
    await stored(cluster, `/registry/minions/node-${MODEL}`),
    await stored(cluster, `/registry/leases/kube-node-lease/node-${MODEL}`),
  ];
  for (let kind = 0; kind < size.podsPerNode; kind++) {
    models.push(await stored(cluster, `/registry/pods/${NAMESPACE}/${podName(kind, MODEL)}`));
  }
  await cluster.stopComponent("kube-apiserver");
  let puts: object[] = [];
  for (let index = 0; index < size.nodes; index++) {
    for (const model of models) puts.push(copyFor(model, index));
    if (puts.length >= BATCH || index === size.nodes - 1) {
      for (let at = 0; at < puts.length; at += BATCH) await transact(cluster, puts.slice(at, at + BATCH));
      puts = [];
    }
    if (index % 1000 === 999) say(`${index + 1} nodes written, ${Math.round((Date.now() - started) / 1000)} s`);
  }
  await transact(
    cluster,
    models.map(({ key }) => ({ requestDeleteRange: { key: base64(key) } })),
  );
  await cluster.startComponent("kube-apiserver");
}

interface Stored {
  readonly key: string;
  readonly value: Buffer;
  readonly uid: string;
}

async function stored(cluster: ControlPlane, key: string): Promise<Stored> {
  const answer = await etcd(cluster, "range", { key: base64(key) });
  const text = answer.kvs?.[0]?.value;
  if (text === undefined) throw new Error(`etcd holds no ${key}`);
  const value = Buffer.from(text, "base64");
  const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(value.toString("latin1"))?.[0];
  if (uid === undefined) throw new Error(`${key} has no uid`);
  return { key, value, uid };
}

function copyFor(model: Stored, index: number): object {
  const rename = (text: string): string => text.replaceAll(`-${MODEL}`, `-${number(index)}`);
  const value = rename(model.value.toString("latin1")).replaceAll(model.uid, randomUUID());
  return { requestPut: { key: base64(rename(model.key)), value: Buffer.from(value, "latin1").toString("base64") } };
}

async function transact(cluster: ControlPlane, operations: readonly object[]): Promise<void> {
  if (operations.length > 0) await etcd(cluster, "txn", { success: operations });
}

async function etcd(
  cluster: ControlPlane,
  call: string,
  body: object,
): Promise<{ readonly kvs?: readonly { readonly value: string }[] }> {
  const answer = await fetch(`${cluster.etcd}/v3/kv/${call}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd ${call}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { readonly kvs?: readonly { readonly value: string }[] };
}

function base64(text: string): string {
  return Buffer.from(text, "latin1").toString("base64");
}

function node(): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: `node-${MODEL}`,
      labels: {
        "kubernetes.io/hostname": `node-${MODEL}`,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": "m8.4xlarge",
        "topology.kubernetes.io/region": "eu-north",
        "topology.kubernetes.io/zone": "eu-north-b",
        "example.com/pool": "general",
      },
    },
    spec: {
      providerID: `cloud:///eu-north-b/node-${MODEL}`,
      taints: [{ key: "team", value: "a", effect: "NoSchedule" }],
    },
    status: {
      capacity: { cpu: "16", memory: "64Gi", pods: "110", "ephemeral-storage": "200Gi" },
      allocatable: { cpu: "15890m", memory: "61Gi", pods: "110", "ephemeral-storage": "180Gi" },
      conditions: ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
        type,
        status: type === "Ready" ? "True" : "False",
        reason: "KubeletIsFine",
        message: "as it should be",
        lastHeartbeatTime: "2026-03-02T10:00:00Z",
        lastTransitionTime: "2026-03-01T10:00:00Z",
      })),
      nodeInfo: {
        machineID: "0123456789abcdef",
        systemUUID: "0123456789abcdef",
        bootID: "0123456789abcdef",
        kernelVersion: "6.12.0",
        osImage: "Linux",
        containerRuntimeVersion: "containerd://2.1.0",
        kubeletVersion: "v1.37.2",
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
      images: Array.from({ length: 30 }, (_, index) => ({
        names: [`registry.example.com/team/image-${index}:1.2.3`],
        sizeBytes: 100_000_000 + index,
      })),
    },
  };
}

function lease(): object {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: `node-${MODEL}`, namespace: "kube-node-lease" },
    spec: { holderIdentity: `node-${MODEL}`, leaseDurationSeconds: 40, renewTime: "2026-03-02T10:00:00.000000Z" },
  };
}

function podName(kind: number, index: number): string {
  return `agent-${String(kind).padStart(2, "0")}-${number(index)}`;
}

function pod(kind: number): object {
  const access = `kube-api-access-${MODEL}`;
  const owner = `agent-${String(kind).padStart(2, "0")}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(kind, MODEL),
      namespace: NAMESPACE,
      labels: { app: owner, "pod-template-generation": "3", "controller-revision-hash": `7c9d5f${kind}` },
      annotations: { "example.com/checksum": "0123456789abcdef0123456789abcdef" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "DaemonSet",
          name: owner,
          uid: `00000000-0000-0000-0000-0000000000${String(kind).padStart(2, "0")}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      serviceAccountName: "agent",
      nodeName: `node-${MODEL}`,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [`node-${MODEL}`] }] }],
          },
        },
      },
      tolerations: [
        { key: "team", operator: "Exists" },
        ...["not-ready", "unreachable"].map((key) => ({
          key: `node.kubernetes.io/${key}`,
          operator: "Exists",
          effect: "NoExecute",
        })),
        ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((key) => ({
          key: `node.kubernetes.io/${key}`,
          operator: "Exists",
          effect: "NoSchedule",
        })),
      ],
      containers: [
        {
          name: "agent",
          image: `registry.example.com/team/${owner}:1.2.3`,
          args: ["--node=$(NODE_NAME)", "--listen=:8080", "--log-level=info"],
          env: Array.from({ length: 6 }, (_, index) => ({ name: `SETTING_${index}`, value: `value-${index}` })),
          resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
          volumeMounts: [
            { name: access, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
            { name: "host", mountPath: "/host" },
          ],
        },
      ],
      volumes: [
        { name: "host", hostPath: { path: "/var/lib/agent" } },
        {
          name: access,
          projected: { sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 3607 } }] },
        },
      ],
    },
  };
}

function podStatus(kind: number): object {
  const time = "2026-03-01T10:00:00Z";
  return {
    phase: "Running",
    startTime: time,
    hostIP: "10.1.2.3",
    podIP: "10.4.5.6",
    podIPs: [{ ip: "10.4.5.6" }],
    qosClass: "Burstable",
    conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(
      (type) => ({
        type,
        status: "True",
        lastTransitionTime: time,
      }),
    ),
    containerStatuses: [
      {
        name: "agent",
        ready: true,
        started: true,
        restartCount: 0,
        image: `registry.example.com/team/agent-${kind}:1.2.3`,
        imageID: `registry.example.com/team/agent-${kind}@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`,
        containerID: "containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        state: { running: { startedAt: time } },
      },
    ],
  };
}
