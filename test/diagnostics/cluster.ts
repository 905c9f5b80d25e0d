// Clusters that the diagnostics' tests share, as dumps.
import { clusterOf } from "../support/judge.ts";

/** Two ordinary nodes, a dedicated pool, a control plane. */
export const POOLS = clusterOf(
  `
apiVersion: v1
kind: List
items:
- kind: Node
  apiVersion: v1
  metadata: {name: plain-1, labels: {kubernetes.io/os: linux, pool: general}}
  status: {allocatable: {cpu: "8", memory: 32Gi}}
- kind: Node
  apiVersion: v1
  metadata: {name: plain-2, labels: {kubernetes.io/os: linux, pool: general}}
  status: {allocatable: {cpu: "8", memory: 32Gi}}
- kind: Node
  apiVersion: v1
  metadata: {name: rdma-1, labels: {kubernetes.io/os: linux, pool: rdma}}
  spec: {taints: [{key: dedicated, value: rdma, effect: NoSchedule}]}
  status: {allocatable: {cpu: "64", memory: 256Gi, rdma/hca: "8"}}
- kind: Node
  apiVersion: v1
  metadata: {name: cp-1, labels: {kubernetes.io/os: linux, node-role.kubernetes.io/control-plane: ""}}
  spec: {taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]}
  status: {allocatable: {cpu: "4", memory: 8Gi}}
`,
  "pools",
);
