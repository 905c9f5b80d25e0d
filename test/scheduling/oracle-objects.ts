// Test support: the oracle's questions as the engine's plain data.
import type { PodSpec } from "../../server/src/kube/pod-spec.ts";
import type { Taint, TaintEffect } from "../../server/src/kube/taint.ts";
import type { Toleration } from "../../server/src/kube/toleration.ts";
import type { PlaceableNode } from "../../server/src/scheduling/place.ts";
import type { VectorNode, VectorPodSpec, VectorRequirement, VectorTaint, VectorToleration } from "../oracle/vectors.ts";

const EMPTY_SPEC: PodSpec = {
  nodeName: "",
  nodeSelector: {},
  requiredAffinity: null,
  tolerations: [],
  hostNetwork: false,
  hostPID: false,
  os: "",
  schedulerName: "",
  schedulingGates: [],
  runtimeClassName: "",
  priorityClassName: "",
  requests: {},
  containers: [],
  volumes: [],
  usesResourceClaims: false,
  notModelled: [],
};

/** A pod spec with nothing in it but what is given. */
export function podSpec(parts: Partial<PodSpec>): PodSpec {
  return { ...EMPTY_SPEC, ...parts };
}

export function toToleration(vector: VectorToleration): Toleration {
  return {
    key: vector.key ?? "",
    operator: vector.operator ?? "",
    value: vector.value ?? "",
    effect: vector.effect ?? "",
    tolerationSeconds: vector.tolerationSeconds ?? null,
  };
}

export function toTaint(vector: VectorTaint): Taint {
  return { key: vector.key, value: vector.value ?? "", effect: vector.effect as TaintEffect, timeAdded: null };
}

export function toNode(vector: VectorNode): PlaceableNode {
  return {
    name: vector.name,
    labels: vector.labels,
    taints: (vector.taints ?? []).map(toTaint),
    unschedulable: vector.unschedulable ?? false,
    allocatable: null,
  };
}

export function toPodSpec(vector: VectorPodSpec): PodSpec {
  const required = vector.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return podSpec({
    nodeName: vector.nodeName ?? "",
    nodeSelector: vector.nodeSelector ?? {},
    requiredAffinity:
      required === undefined
        ? null
        : {
            terms: (required.nodeSelectorTerms ?? []).map((term) => ({
              matchExpressions: (term.matchExpressions ?? []).map(toRequirement),
              matchFields: (term.matchFields ?? []).map(toRequirement),
            })),
          },
    tolerations: (vector.tolerations ?? []).map(toToleration),
    hostNetwork: vector.hostNetwork ?? false,
  });
}

function toRequirement(vector: VectorRequirement) {
  return { key: vector.key, operator: vector.operator, values: vector.values ?? [] };
}
