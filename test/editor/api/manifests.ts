// Manifests that the tests write into the opened copy of the example.

/** A DaemonSet of a platform role (it reads every pod's logs) that does not tolerate the training pool's taint. */
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
    ...(tolerations.length > 0 ? ["      tolerations:", ...tolerations.map((line) => `        ${line}`)] : []),
    "      containers:",
    "        - name: agent",
    "          image: registry.example.com/agent:1",
    "          volumeMounts: [{name: logs, mountPath: /var/log/pods, readOnly: true}]",
    "      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]",
    "",
  ].join("\n");
}

/** The toleration that closes the gap, and the control plane's. */
export const TOLERATES_ALL_POOLS: readonly string[] = [
  "- {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}",
  "- {key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}",
];
