// Scheduling layer: what admission adds to a workload's pods, and how sure that is. It never moves a DaemonSet's
// decision, which its controller takes from the template before any pod exists.
import type { ClusterModel, Namespace, RuntimeClass } from "../cluster/model.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { PodSpec } from "../kube/pod-spec.ts";
import { isExtendedResource } from "../kube/resources.ts";
import type { Toleration } from "../kube/toleration.ts";
import { sameToleration } from "./implied-tolerations.ts";
import { mergeTolerations } from "./merge-tolerations.ts";
import { parseDefaultTolerations, parseNodeSelector } from "./namespace-defaults.ts";

export type AdmissionPlugin =
  | "PodNodeSelector"
  | "OpenShift project node selector"
  | "DefaultTolerationSeconds"
  | "PodTolerationRestriction"
  | "ExtendedResourceToleration"
  | "RuntimeClass";

/** `always`: on by default in every cluster; `if-on`: only where the plugin is enabled; `proved`: a live pod shows it. */
export type Certainty = "always" | "if-on" | "proved";

/** What one plugin adds to the pods of a workload. */
export interface AdmissionChange {
  readonly plugin: AdmissionPlugin;
  readonly certainty: Certainty;
  /** `namespace/name` of the pod that proves it; null otherwise. */
  readonly evidence: string | null;
  readonly tolerations: readonly Toleration[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** A label that both sides want with different values: the pod is refused. */
  readonly conflict: { readonly key: string; readonly template: string; readonly admission: string } | null;
}

/** The parts of a cluster that admission depends on. */
export type AdmissionCluster = Pick<ClusterModel, "namespaces" | "runtimeClasses" | "pods" | "workloads">;

/**
 * The pods of a cluster beside the templates they came from, gathered once per cluster. `added` holds what a pod has
 * and its template has not.
 */
export interface AdmissionEvidence {
  readonly pods: readonly {
    readonly pod: ClusterPod;
    readonly tolerations: readonly Toleration[];
    readonly nodeSelector: Readonly<Record<string, string>>;
  }[];
}

/** Finds the pods that carry more tolerations or selectors than the template of their controller. */
export function gatherAdmissionEvidence(cluster: AdmissionCluster): AdmissionEvidence {
  const templates = new Map(cluster.workloads.map((workload) => [workload.uid, workload.template]));
  const pods: AdmissionEvidence["pods"][number][] = [];
  let clean: readonly unknown[] = [];
  for (const pod of cluster.pods) {
    const template = pod.controller === null ? undefined : templates.get(pod.controller.uid);
    if (template === undefined) continue;
    // The pods of one template share what they were read from: where one carries no more, the next does not either.
    const facts = [template, pod.spec.tolerations, pod.spec.nodeSelector];
    if (facts.every((fact, index) => fact === clean[index])) continue;
    const tolerations = pod.spec.tolerations.filter(
      (toleration) => !template.tolerations.some((entry) => sameToleration(entry, toleration)),
    );
    const extraLabels = Object.entries(pod.spec.nodeSelector).filter(
      ([key]) => !Object.hasOwn(template.nodeSelector, key),
    );
    if (tolerations.length + extraLabels.length > 0) {
      pods.push({ pod, tolerations, nodeSelector: Object.fromEntries(extraLabels) });
    } else clean = facts;
  }
  return { pods };
}

/**
 * What each admission plugin adds to a pod of this template in this namespace, in the order of the plugins. An unknown
 * namespace or RuntimeClass adds nothing. Sources: k8s.io/kubernetes/plugin/pkg/admission podnodeselector,
 * defaulttolerationseconds, podtolerationrestriction, extendedresourcetoleration, runtimeclass.
 */
export function admissionChanges(
  spec: PodSpec,
  namespaceName: string | null,
  cluster: AdmissionCluster,
  evidence: AdmissionEvidence,
): readonly AdmissionChange[] {
  const namespace = namespaceName === null ? undefined : cluster.namespaces.get(namespaceName);
  const runtimeClass = cluster.runtimeClasses.get(spec.runtimeClassName);
  return [
    ...namespaceSelectors(spec, namespace, evidence),
    ...defaultSeconds(spec),
    ...namespaceTolerations(namespace, evidence),
    ...extendedResourceTolerations(spec, evidence),
    ...runtimeClassScheduling(spec, runtimeClass),
  ].filter((change) => change.tolerations.length > 0 || Object.keys(change.nodeSelector).length > 0);
}

/** The spec as admitted, with the changes of at least the given certainty; conflicting ones add nothing. */
export function admittedSpec(
  spec: PodSpec,
  changes: readonly AdmissionChange[],
  accept: (change: AdmissionChange) => boolean,
): PodSpec {
  let { tolerations, nodeSelector } = spec;
  for (const change of changes) {
    if (change.conflict !== null || !accept(change)) continue;
    tolerations = mergeTolerations(tolerations, change.tolerations);
    nodeSelector = { ...change.nodeSelector, ...nodeSelector };
  }
  return { ...spec, tolerations, nodeSelector };
}

const SELECTOR_ANNOTATIONS: readonly (readonly [string, AdmissionPlugin])[] = [
  ["scheduler.alpha.kubernetes.io/node-selector", "PodNodeSelector"],
  ["openshift.io/node-selector", "OpenShift project node selector"],
];

function namespaceSelectors(
  spec: PodSpec,
  namespace: Namespace | undefined,
  evidence: AdmissionEvidence,
): readonly AdmissionChange[] {
  if (namespace === undefined) return [];
  return SELECTOR_ANNOTATIONS.flatMap(([annotation, plugin]) => {
    const nodeSelector = parseNodeSelector(namespace.annotations[annotation] ?? "");
    if (nodeSelector === null) return [];
    const proof = evidence.pods.find(
      (entry) =>
        entry.pod.namespace === namespace.name &&
        Object.entries(nodeSelector).some(([key, value]) => entry.nodeSelector[key] === value),
    );
    const certainty = certaintyOf(proof?.pod);
    return [
      { plugin, ...certainty, tolerations: [], nodeSelector, conflict: conflictOf(spec.nodeSelector, nodeSelector) },
    ];
  });
}

function defaultSeconds(spec: PodSpec): readonly AdmissionChange[] {
  const tolerations = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]
    .filter(
      (key) =>
        !spec.tolerations.some(
          (entry) => (entry.key === key || entry.key === "") && (entry.effect === "NoExecute" || entry.effect === ""),
        ),
    )
    .map((key) => ({ key, operator: "Exists", value: "", effect: "NoExecute", tolerationSeconds: 300 }));
  return [
    {
      plugin: "DefaultTolerationSeconds",
      certainty: "always",
      evidence: null,
      tolerations,
      nodeSelector: {},
      conflict: null,
    },
  ];
}

function namespaceTolerations(
  namespace: Namespace | undefined,
  evidence: AdmissionEvidence,
): readonly AdmissionChange[] {
  const written = namespace?.annotations["scheduler.alpha.kubernetes.io/defaultTolerations"] ?? "";
  const tolerations = parseDefaultTolerations(written) ?? [];
  const proof = evidence.pods.find(
    (entry) =>
      entry.pod.namespace === namespace?.name &&
      tolerations.some((toleration) => entry.tolerations.some((added) => sameToleration(added, toleration))),
  );
  const certainty = certaintyOf(proof?.pod);
  return [{ plugin: "PodTolerationRestriction", ...certainty, tolerations, nodeSelector: {}, conflict: null }];
}

/** The toleration that ExtendedResourceToleration gives to pods that request a resource. */
function extendedResourceToleration(resource: string): Toleration {
  return { key: resource, operator: "Exists", value: "", effect: "NoSchedule", tolerationSeconds: null };
}

function extendedResourceTolerations(spec: PodSpec, evidence: AdmissionEvidence): readonly AdmissionChange[] {
  const tolerations = requestedExtendedResources(spec).map(extendedResourceToleration);
  const proof = evidence.pods.find((entry) => {
    const added = requestedExtendedResources(entry.pod.spec).map(extendedResourceToleration);
    return added.some((toleration) => entry.tolerations.some((other) => sameToleration(toleration, other)));
  });
  const certainty = certaintyOf(proof?.pod);
  return [{ plugin: "ExtendedResourceToleration", ...certainty, tolerations, nodeSelector: {}, conflict: null }];
}

/** Sorted names; the plugin looks at names in requests, so an amount of 0 counts. */
function requestedExtendedResources(spec: PodSpec): readonly string[] {
  const names = spec.containers.flatMap((container) => Object.keys(container.requests).filter(isExtendedResource));
  return [...new Set(names)].sort();
}

function runtimeClassScheduling(spec: PodSpec, runtimeClass: RuntimeClass | undefined): readonly AdmissionChange[] {
  if (runtimeClass === undefined) return [];
  const { nodeSelector, tolerations } = runtimeClass;
  const conflict = conflictOf(spec.nodeSelector, nodeSelector);
  return [{ plugin: "RuntimeClass", certainty: "always", evidence: null, tolerations, nodeSelector, conflict }];
}

function certaintyOf(proof: ClusterPod | undefined): {
  readonly certainty: Certainty;
  readonly evidence: string | null;
} {
  if (proof === undefined) return { certainty: "if-on", evidence: null };
  return { certainty: "proved", evidence: `${proof.namespace}/${proof.name}` };
}

function conflictOf(
  template: Readonly<Record<string, string>>,
  admission: Readonly<Record<string, string>>,
): AdmissionChange["conflict"] {
  for (const [key, wanted] of Object.entries(admission)) {
    const own = template[key];
    if (own !== undefined && own !== wanted) return { key, template: own, admission: wanted };
  }
  return null;
}
