// Diagnostic `admission-selector`: the namespace adds a node selector that the DaemonSet controller does not know.
import { formatRef } from "../../kube/workload.ts";
import type { AdmissionChange } from "../../scheduling/admission.ts";
import { count, fill, listing } from "../fill.ts";
import { type JudgedCluster, liveNamespace } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";

export const messages = {
  nodes:
    "{namespace} adds the node selector {selector} to its pods ({plugin}), which the DaemonSet controller does not know: pods for {nodes} ({names}) are created and cannot start there.",
  conflict:
    "{namespace} adds the node selector {selector} ({plugin}), which contradicts {key}={value} of the template: every pod is refused.",
  what: "Put the selector into the template, or set the namespace's annotation to an empty text.",
} as const;

export const admissionSelector: PlacementRule = {
  code: "admission-selector",
  subject: "placement",
  check(context) {
    if (context.item.workload.kind !== "DaemonSet") return [];
    return context.clusters.flatMap((cluster) =>
      cluster
        .admission()
        .filter((change) => change.plugin !== "RuntimeClass" && Object.keys(change.nodeSelector).length > 0)
        .flatMap((change) => found(change, context, cluster)),
    );
  },
};

function found(change: AdmissionChange, context: WorkloadContext, cluster: JudgedCluster): readonly Found[] {
  const wanted = Object.entries(change.nodeSelector);
  const { namespace, nameSpan } = {
    ...context.item,
    namespace: context.item.workload.namespace ?? liveNamespace(cluster.coverage),
  };
  const values = {
    namespace: formatRef({ kind: "Namespace", namespace: null, name: namespace }),
    selector: wanted.map(([key, value]) => `${key}=${value}`).join(","),
    plugin: change.plugin,
  };
  const base = { severity: "warning", span: nameSpan, cluster: cluster.model.name } as const;
  if (change.conflict !== null) {
    const { key, template } = change.conflict;
    return [{ ...base, message: `${fill(messages.conflict, { ...values, key, value: template })} ${messages.what}` }];
  }
  const names = cluster
    .groups()
    .filter((group) => group.hosting === "hosts" && group.placement.verdict === "run")
    .flatMap((group) => group.nodes)
    .filter((name) => {
      const labels = cluster.node(name)?.labels ?? {};
      return wanted.some(([key, value]) => labels[key] !== value);
    });
  if (names.length === 0) return [];
  const message = fill(messages.nodes, { ...values, nodes: count(names.length, "node"), names: listing(names) });
  return [{ ...base, nodes: names, message: `${message} ${messages.what}` }];
}
