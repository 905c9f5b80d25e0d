// Manifests that the tests write into the opened copy of the example.

/** What a DaemonSet needs to run on the example's control plane. */
const CONTROL_PLANE = "- {key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}";

/** The toleration of the training pool's taint. */
export const TRAINING_POOL = "- {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}";

/** A DaemonSet of a platform role (it reads every pod's logs) that misses nothing but the training pool. */
export function logAgent(name: string, tolerations: readonly string[] = []): string {
  return [
    "apiVersion: apps/v1",
    "kind: DaemonSet",
    `metadata: {name: ${name}, namespace: monitoring}`,
    "spec:",
    `  selector: {matchLabels: {app: ${name}}}`,
    "  template:",
    `    metadata: {labels: {app: ${name}}}`,
    "    spec:",
    "      tolerations:",
    ...[...tolerations, CONTROL_PLANE].map((line) => `        ${line}`),
    "      containers:",
    "        - name: agent",
    "          image: registry.example.com/agent:1",
    "          volumeMounts: [{name: logs, mountPath: /var/log/pods, readOnly: true}]",
    "      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]",
    "",
  ].join("\n");
}
