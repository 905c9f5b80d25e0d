// Fixtures of the language server's tests: a cluster of four nodes, and manifests that miss one of them.
import { unindent } from "../support/annotated.ts";

/** Two workers, a tainted one where the agent still runs, and a tainted one with fast network cards. */
export const CLUSTER = unindent(`
  apiVersion: v1
  kind: List
  items:
  - apiVersion: v1
    kind: Node
    metadata: {name: worker-1, labels: {kubernetes.io/hostname: worker-1, kubernetes.io/os: linux, pool: general}}
    spec: {}
    status: {allocatable: {cpu: "8"}, capacity: {cpu: "8"}}
  - apiVersion: v1
    kind: Node
    metadata: {name: worker-2, labels: {kubernetes.io/hostname: worker-2, kubernetes.io/os: linux, pool: general}}
    spec: {}
    status: {allocatable: {cpu: "8"}, capacity: {cpu: "8"}}
  - apiVersion: v1
    kind: Node
    metadata: {name: fast-1, labels: {kubernetes.io/hostname: fast-1, kubernetes.io/os: linux, pool: fast}}
    spec:
      taints:
      - {key: dedicated, value: rdma, effect: NoSchedule}
    status: {allocatable: {cpu: "8", rdma/hca: "4"}, capacity: {cpu: "8", rdma/hca: "4"}}
  - apiVersion: apps/v1
    kind: DaemonSet
    metadata: {name: agent, namespace: monitoring, uid: ds-1}
    spec:
      selector: {matchLabels: {app: agent}}
      template:
        metadata: {labels: {app: agent}}
        spec: {containers: [{name: agent, image: agent}]}
  - {apiVersion: v1, kind: PodList, items: []}
`);

/** The same cluster without any taint. */
export const OPEN_CLUSTER = CLUSTER.replace(/ {4}taints:\n {4}- .*\n/, "").replace(
  "  spec:\n  status",
  "  spec: {}\n  status",
);

/** A DaemonSet of the role "log agent", which should run everywhere. */
export function agent(name: string, tolerations: readonly string[] = []): string {
  return [
    "apiVersion: apps/v1",
    "kind: DaemonSet",
    `metadata: {name: ${name}, namespace: monitoring}`,
    "spec:",
    `  selector: {matchLabels: {app: ${name}}}`,
    "  template:",
    `    metadata: {labels: {app: ${name}}}`,
    "    spec:",
    ...(tolerations.length === 0 ? [] : ["      tolerations:", ...tolerations.map((line) => `      - ${line}`)]),
    "      nodeSelector: {kubernetes.io/os: linux}",
    "      containers:",
    "      - name: agent",
    "        image: agent",
    "        volumeMounts: [{name: logs, mountPath: /var/log/pods, readOnly: true}]",
    "      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]",
    "",
  ].join("\n");
}

/** What tolerates the cluster's one taint. */
export const RDMA = "{key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}";
